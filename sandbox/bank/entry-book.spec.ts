import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EntryBook, type EntrySearch } from './entry-book.js';
import type { EntryRow } from './ledger.records.js';
import { msOf, stampOf } from './stamps.js';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');

function entry(minute: number, key: string, amt: number, held: boolean): EntryRow {
  const at = stampOf(startMs + minute * 60_000);
  return {
    key,
    state: held ? 'HELD' : 'POSTED',
    booked: held ? '' : at,
    made: held ? at : '',
    due: '',
    value: '',
    amt: Math.abs(amt),
    side: amt > 0 ? 'CR' : 'DR',
    text: 'é',
    bal: '',
    fx: '',
  };
}

const rows = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: -2, max: 2 }), fc.boolean(), fc.nat(999)), {
    selector: ([, , , key]) => key,
    maxLength: 40,
  })
  .map((drawn) => drawn.map(([minute, amt, held, key]) => entry(minute, `K${key}`, amt, held)));
const minuteMs = fc.integer({ min: -1, max: 10 }).map((minute) => startMs + minute * 60_000);
const searches: fc.Arbitrary<EntrySearch> = fc.record({
  sinceMs: fc.option(minuteMs, { nil: undefined }),
  untilMs: fc.option(minuteMs, { nil: undefined }),
  side: fc.constantFrom('CR' as const, 'DR' as const, undefined),
  postedOnly: fc.boolean(),
  toward: fc.constantFrom('OLD' as const, 'NEW' as const),
  past: fc.option(fc.record({ atMs: minuteMs, key: fc.nat(999).map((key) => `K${key}`) }), { nil: undefined }),
  take: fc.integer({ min: 1, max: 12 }),
});

/** The same by looking at every row. */
function slowly(all: readonly EntryRow[], search: EntrySearch) {
  const atMs = (row: EntryRow) => msOf(row.state === 'HELD' ? row.made : row.booked);
  const older = (a: EntryRow, b: { atMs: number; key: string }) =>
    atMs(a) < b.atMs || (atMs(a) === b.atMs && a.key < b.key);
  const newer = (a: EntryRow, b: { atMs: number; key: string }) =>
    atMs(a) > b.atMs || (atMs(a) === b.atMs && a.key > b.key);
  const fitting = all
    .filter(
      (row) =>
        (search.sinceMs === undefined || atMs(row) >= search.sinceMs) &&
        (search.untilMs === undefined || atMs(row) < search.untilMs) &&
        (search.side === undefined || (row.amt === 0 ? 'CR' : row.side) === search.side) &&
        (!search.postedOnly || row.state === 'POSTED'),
    )
    .toSorted((a, b) => (older(a, { atMs: atMs(b), key: b.key }) ? 1 : -1));
  const { past } = search;
  const beyond = fitting.filter(
    (row) => past === undefined || (search.toward === 'OLD' ? older(row, past) : newer(row, past)),
  );
  const taken = search.toward === 'OLD' ? beyond.slice(0, search.take) : beyond.slice(-search.take);
  return { keys: taken.map(({ key }) => key), more: beyond.length > taken.length };
}

describe('the entry book', () => {
  it('finds what looking at every entry finds, in the same order, as JSON and as records', () => {
    fc.assert(
      fc.property(rows, searches, (all, search) => {
        const { json, rows: found, more } = new EntryBook(all).find(search);
        const sent = JSON.parse(`[${json.toString()}]`) as EntryRow[];
        expect(sent).toEqual(found());
        expect({ keys: sent.map(({ key }) => key), more }).toEqual(slowly(all, search));
      }),
      { numRuns: 300 },
    );
  });

  it('finds a page among 50,000 entries without looking at them', () => {
    const bookOf = (length: number): EntryBook =>
      new EntryBook(Array.from({ length }, (_, index) => entry(index >> 1, `K${index}`, 1, false)));
    const search: EntrySearch = {
      toward: 'OLD',
      postedOnly: false,
      take: 100,
      past: { atMs: startMs + 120 * 60_000, key: '' },
    };
    /** The shortest of many rounds, so that other work of the machine does not count. */
    const shortestMs = (book: EntryBook): number =>
      Math.min(
        ...Array.from({ length: 50 }, () => {
          const begunAt = performance.now();
          for (let time = 0; time < 100; time++) book.find(search);
          return performance.now() - begunAt;
        }),
      );
    const ofFew = shortestMs(bookOf(500));
    // Looking at each of them would take a hundred times as long.
    expect(shortestMs(bookOf(50_000))).toBeLessThan(20 * ofFew);
  });
});
