import { describe, expect, it } from '@jest/globals';
import { pageOf } from './page-of-rows.js';

const columns = { at: { column: 'at', path: '', as: 'instant' }, id: { column: 'id', path: '' } } as const;

/** Rows in the database's order, by their seconds and ids. */
const rows = (...given: readonly [seconds: string, id: string][]) =>
  given.map(([seconds, id]) => ({ at: `2026-06-01T12:00:${seconds}Z`, id }));

function page(read: 'older' | 'newer', limit: number, found: readonly object[], asked = limit + 1) {
  const shown = pageOf(found as ReturnType<typeof rows>, columns, { read, limit }, asked);
  return shown && { ids: shown.rows.map(({ id }) => id), more: shown.more };
}

describe('a page of transactions from a database that knows microseconds', () => {
  it('is in the order of milliseconds and ids', () => {
    expect(page('older', 5, rows(['01.000900', '1'], ['01.000100', '2'], ['00.000', '3']))).toEqual({
      ids: ['2', '1', '3'],
      more: false,
    });
  });

  it('needs more rows where others of its last millisecond may come before', () => {
    expect(page('older', 1, rows(['01.000900', '1'], ['01.000800', '2']))).toBeUndefined();
    expect(page('older', 1, rows(['01.000900', '1'], ['01.000800', '2'], ['00.999', '9']), 5)).toEqual({
      ids: ['2'],
      more: true,
    });
    expect(page('newer', 1, rows(['01.000', '1'], ['01.000', '2']))).toBeUndefined();
  });

  it('is known where the millisecond ends with it', () => {
    expect(page('older', 1, rows(['01.000900', '1'], ['00.999999', '2']))).toEqual({ ids: ['1'], more: true });
    expect(page('newer', 1, rows(['00.999999', '2'], ['01.000900', '1']))).toEqual({ ids: ['2'], more: true });
  });

  it('is known where the rest of the millisecond has the same time, in the order of ids', () => {
    expect(page('older', 1, rows(['01.000900', '1'], ['01.000', '3']))).toEqual({ ids: ['3'], more: true });
  });

  it('needs more rows where the rest of the millisecond may have larger ids than the page', () => {
    expect(page('older', 2, rows(['01.000900', '1'], ['01.000800', '0'], ['01.000', '3']))).toBeUndefined();
  });

  it('is the same however the database sorts its rows', () => {
    const found = rows(['02.000900', '9'], ['01.000900', '1'], ['01.000', '3']);
    for (const sorted of [found, found.toReversed()]) {
      expect(page('older', 2, sorted)).toEqual({ ids: ['9', '3'], more: true });
      expect(page('newer', 1, sorted, 3)).toEqual({ ids: ['1'], more: true });
    }
  });

  it('has every row at its edge with the same time and id: the next page begins after them', () => {
    const twice = rows(['02.000', '2'], ['01.000', '1'], ['01.000', '1'], ['00.000', '0']);
    expect(page('older', 2, twice.slice(0, 3))).toBeUndefined();
    expect(page('older', 2, twice, 8)).toEqual({ ids: ['2', '1', '1'], more: true });
    expect(page('newer', 2, twice.slice(1), 8)).toEqual({ ids: ['1', '1', '0'], more: false });
    expect(page('older', 3, twice)).toEqual({ ids: ['2', '1', '1'], more: true });
  });

  it('is the newest of the rows that are newer than a place', () => {
    expect(page('newer', 2, rows(['01.000', '1'], ['02.000', '2'], ['03.000', '3']))).toEqual({
      ids: ['2', '1'],
      more: true,
    });
  });
});
