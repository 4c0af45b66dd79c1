import type { BadRecord, CoreItems } from '../../../../packages/core-adapter/core.adapter.js';
import type { CoreAccount, CoreStatement } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, translateRow, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { integerOf, wordOf } from '../../../../packages/core-adapter/row-fields.js';
import { money, optionalMagnitude, optionalTime, time } from './ledger.fields.js';

const cycleTypes: Readonly<Record<string, CoreStatement['type']>> = {
  REG: 'regular',
  YEAR: 'annual',
  MID: 'interim',
  FIRST: 'opening',
  LAST: 'closing',
};

/** When a cycle ended, to choose the latest. Milliseconds since 1970. */
export function cycleEndMs(row: Row): number {
  const end = time(row.closed, 'closed');
  return end instanceof Date ? end.getTime() : Date.parse(end.date);
}

export function toStatement(row: Row, account: CoreAccount): CoreStatement {
  return {
    startAt: time(row.opened, 'opened'),
    endAt: time(row.closed, 'closed'),
    createdAt: time(row.made, 'made'),
    type: wordOf(row, 'kind', cycleTypes),
    closingBalance: money(-integerOf(row, 'owed'), account.currency),
    minimumPayment: optionalField('minimumPayment', () => optionalMagnitude(row, 'least', account.currency)),
    paymentDueAt: optionalField('paymentDueAt', () => optionalTime(row.payby, 'payby')),
  };
}

/** The ledger sends every cycle. The latest is chosen before translating: an older one never stands in for a bad one. */
export function latestStatement(cycles: readonly unknown[], account: CoreAccount): CoreItems<CoreStatement> {
  const bad: BadRecord[] = [];
  let latest: { row: Row; where: string; endMs: number } | undefined;
  for (const [index, row] of cycles.entries()) {
    const where = `cycles[${index}]`;
    const end = translateRow(where, row, cycleEndMs);
    if ('fault' in end) bad.push(end);
    else if (latest === undefined || end.item > latest.endMs) latest = { row: row as Row, where, endMs: end.item };
  }
  if (latest === undefined) return { items: [], bad };
  const statement = translateRow(latest.where, latest.row, (row) => toStatement(row, account));
  if ('fault' in statement) return { items: [], bad: [...bad, statement] };
  return { items: [statement.item], bad, ...(statement.unread && { unread: statement.unread }) };
}
