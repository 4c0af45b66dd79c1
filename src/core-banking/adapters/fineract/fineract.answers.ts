import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import { isRow, type Row, translateRow } from '../../../../packages/core-adapter/core-rows.js';

export function record(answer: unknown): Row {
  if (!isRow(answer)) throw new CoreError('bad-record', 'Fineract answered with something other than a record');
  return answer;
}

/** The rows of a page. How many there are in all is never believed, but a page without a number is none. */
export function pageOf(body: unknown, rowsName: string, totalName: string): unknown[] {
  const { [rowsName]: rows, [totalName]: total } = record(body);
  if (!Array.isArray(rows) || typeof total !== 'number')
    throw new CoreError('bad-record', `Fineract: ${rowsName} and ${totalName} are no page`);
  return rows as unknown[];
}

/** What nothing can be said without, such as the account: where it cannot be read, the whole read fails. */
export function whole<T>(what: string, answer: unknown, translate: (row: Row) => T): T {
  const read = translateRow(what, answer, translate);
  if ('fault' in read) throw new CoreError('bad-record', `Fineract: ${what}: ${read.fault}`);
  return read.item;
}
