import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import { isRow, type Row, translateRow } from '../../../../packages/core-adapter/core-rows.js';

export function record(answer: unknown): Row {
  if (!isRow(answer)) throw new CoreError('bad-record', 'Fineract answered with something other than a record');
  return answer;
}

/** The rows of a page. The total is never used, but an answer without it is not a page. */
export function pageOf(body: unknown, rowsName: string, totalName: string): unknown[] {
  const { [rowsName]: rows, [totalName]: total } = record(body);
  if (!Array.isArray(rows) || typeof total !== 'number')
    throw new CoreError('bad-record', `Fineract: ${rowsName} and ${totalName} are not a page`);
  return rows as unknown[];
}

/** For a row that the answer needs, such as the account: the whole read fails where this row cannot be read. */
export function neededRow<T>(what: string, answer: unknown, translate: (row: Row) => T): T {
  const read = translateRow(what, answer, translate);
  if ('fault' in read) throw new CoreError('bad-record', `Fineract: ${what}: ${read.fault}`);
  return read.item;
}
