import type { BadRecord } from '../../packages/core-adapter/core.adapter.js';
import { freeText } from '../open-banking/free-text.js';

/** A few records are enough in a line of the log. */
const most = 5;

/** The place and the fault of bad records, never the value. `freeText` masks a card number that an adapter left in. */
export function badRecordsLine(bad: readonly BadRecord[]): object {
  const few = bad.slice(0, most).map(({ where, fault }) => ({ where: freeText(where), fault: freeText(fault) }));
  return { count: bad.length, bad: few };
}
