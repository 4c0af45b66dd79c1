import type { BadRecord, UnreadField } from '../../packages/core-adapter/core.adapter.js';
import { freeText } from '../open-banking/free-text.js';

/** A few records are enough in a line of the log. */
const most = 5;

/**
 * The place and the fault of bad records or fields, never the value. `freeText` masks a card number that an adapter left in.
 */
export function badRecordsLine(bad: readonly (BadRecord | UnreadField)[]): object {
  const few = bad
    .slice(0, most)
    .map((one) => ({
      where: freeText(one.where),
      ...('field' in one && { field: freeText(one.field) }),
      fault: freeText(one.fault),
    }));
  return { count: bad.length, bad: few };
}
