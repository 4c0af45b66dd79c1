import type { CoreTime } from '../../../packages/core-adapter/core.records.js';
import { people } from '../../adapter-kit/tiny-people.js';
import { mapping } from './feed.mapping.js';
import { csvLine, headerOf, parts, rowsOf, transactionRow } from './feed.rows.js';
import type { FeedShape } from './feed-shape.js';

/** A bank whose files are written by hand, apart from every mapping. @param timeZone of its clocks */
export function writtenShape(timeZone: string): FeedShape {
  const offsets = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  /** With the offset of the bank's clocks. */
  const written = (time: CoreTime): string => {
    if (!(time instanceof Date)) return time.date;
    const named = offsets.format(time);
    const [, sign = '+', hours = '00', minutes = '00'] = /GMT([+-])(\d\d):(\d\d)/.exec(named) ?? [];
    const offsetMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
    return `${new Date(time.getTime() + offsetMs).toISOString().slice(0, -1)}${sign}${hours}:${minutes}`;
  };
  return {
    mapping,
    follows: false,
    people,
    parts,
    fileOf: (part, lines) => `${[headerOf(part), ...lines].join('\r\n')}\r\n`,
    holderLine: (CUST, ACC) => csvLine('holders', { CUST, ACC }),
    partyLine: (CUST, { ref, name }) => csvLine('party', { CUST, PERSON: ref, NAME: name }),
    transactionLine: (accountRef, row) => csvLine('transactions', transactionRow(accountRef, row, written)),
    linesOf: (part, truth) => (rowsOf(truth, written)[part] ?? []).map((row) => csvLine(part, row)),
    brokenBalance: (ACC) => csvLine('balances', { ACC, KIND: 'LEDGER', AMOUNT: 'much' }),
  };
}
