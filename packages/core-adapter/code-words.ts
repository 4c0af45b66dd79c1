import { RowFault, type Row } from './core-rows.js';

/**
 * The meaning of a code word or a whole-number code of the core. A code that `meanings` does not list is a bad record:
 * it must never count as the permissive one.
 *
 * @param meanings by the core's words, exactly as the core writes them; a number by its digits
 * @throws RowFault for every other value
 */
export function wordOf<const T>(row: Row, field: string, meanings: Readonly<Record<string, T>>): T {
  const value = row[field];
  const word = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof word !== 'string' || !Object.hasOwn(meanings, word)) throw new RowFault(field, 'not a known word');
  return meanings[word] as T;
}
