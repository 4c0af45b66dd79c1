import { describe, expect, it } from '@jest/globals';
import { translateRows } from './core-rows.js';

describe('the rows of one answer of a core', () => {
  const rows = (count: number): object[] => Array.from({ length: count }, (_, id) => ({ id }));

  it('are read up to 10,000', () => {
    expect(translateRows('entries', rows(10_000), ({ id }) => id).items).toHaveLength(10_000);
  });

  it('are refused beyond, in a sentence that says so', () => {
    expect(() => translateRows('entries', rows(10_001), ({ id }) => id)).toThrow(
      expect.objectContaining({
        kind: 'bad-record',
        detail: 'entries: the core sent 10001 rows in one answer, and at most 10000 are read: ask it for a page',
      }),
    );
  });
});
