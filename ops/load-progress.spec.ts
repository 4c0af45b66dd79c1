import { describe, expect, it } from '@jest/globals';
import { loadProgress } from './load-progress.js';

function shown(isTTY: boolean): string[] {
  const written: string[] = [];
  let nowMs = 0;
  const progress = loadProgress({ isTTY, write: (text: string) => written.push(text) }, () => nowMs);
  progress.file('transactions.csv', 10_000);
  for (const read of [1_000, 2_500, 5_000, 10_000]) {
    nowMs += 2_500;
    progress.rows(read);
  }
  progress.step('sorting');
  progress.end();
  return written;
}

describe('the progress of a load', () => {
  it('is one line that changes on a terminal, and the line goes at the end', () => {
    expect(shown(true)).toEqual([
      '\r\u001b[Ktransactions.csv: 10,000 rows',
      '\r\u001b[Ktransactions.csv: 1,000 rows, 10 %, 400 rows a second',
      '\r\u001b[Ktransactions.csv: 2,500 rows, 25 %, 500 rows a second',
      '\r\u001b[Ktransactions.csv: 5,000 rows, 50 %, 667 rows a second',
      '\r\u001b[Ktransactions.csv: 10,000 rows, 100 %, 1,000 rows a second',
      '\r\u001b[Ksorting the records',
      '\r\u001b[K',
    ]);
  });

  it('is a plain line every five seconds without a terminal', () => {
    expect(shown(false)).toEqual([
      'transactions.csv: 10,000 rows\n',
      'transactions.csv: 2,500 rows, 25 %, 500 rows a second\n',
      'transactions.csv: 10,000 rows, 100 %, 1,000 rows a second\n',
      'sorting the records\n',
    ]);
  });
});
