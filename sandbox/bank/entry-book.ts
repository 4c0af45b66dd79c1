import type { EntryRow } from './ledger.records.js';
import { msOf } from './stamps.js';

export interface EntrySearch {
  /** Inclusive, milliseconds since 1970. */
  readonly sinceMs?: number;
  /** Exclusive. */
  readonly untilMs?: number;
  /** Money in, zero included, or money out. */
  readonly side?: 'CR' | 'DR';
  readonly postedOnly: boolean;
  /** Towards the older: the newest that fit. Towards the newer: the oldest that fit. */
  readonly toward: 'OLD' | 'NEW';
  /** Only what lies past this place, in the direction of reading. */
  readonly past?: { readonly atMs: number; readonly key: string };
  readonly take: number;
}

export interface FoundEntries {
  /** Newest first, as they are sent: JSON, separated by commas. */
  readonly json: Buffer;
  /** The same as records. */
  readonly rows: () => readonly EntryRow[];
  /** Whether more that fit lie beyond, in the direction of reading. */
  readonly more: boolean;
}

interface IndexedEntry {
  readonly atMs: number;
  readonly row: EntryRow;
}

/** The entries of one kind of search, with their JSON written once, so that a page is a slice of that text. */
interface View {
  /** Oldest first. */
  readonly entries: readonly IndexedEntry[];
  /** Newest first, a comma after each. */
  readonly json: Buffer;
  /** `begins[n]` is where, in `json`, the n oldest of them begin. */
  readonly begins: readonly number[];
}

/** The entries of one account, ordered by time and key, and found by binary search. */
export class EntryBook {
  private readonly all: readonly IndexedEntry[];
  /** Made when first asked for. */
  private readonly views = new Map<string, View>();

  constructor(rows: readonly EntryRow[]) {
    this.all = rows
      .map((row) => ({ atMs: msOf(row.state === 'HELD' ? row.made : row.booked), row }))
      .sort((a, b) => a.atMs - b.atMs || (a.row.key < b.row.key ? -1 : 1));
  }

  find(search: EntrySearch): FoundEntries {
    const view = this.view(search.side, search.postedOnly);
    const { entries } = view;
    const first = search.sinceMs === undefined ? 0 : firstFrom(entries, search.sinceMs, '');
    const end = Math.max(first, search.untilMs === undefined ? entries.length : firstFrom(entries, search.untilMs, ''));
    const { past } = search;
    if (search.toward === 'OLD') {
      const to = past === undefined ? end : clamped(first, firstFrom(entries, past.atMs, past.key), end);
      const from = Math.max(first, to - search.take);
      return { ...slice(view, from, to), more: from > first };
    }
    const from = past === undefined ? first : clamped(first, firstPast(entries, past), end);
    const to = Math.min(end, from + search.take);
    return { ...slice(view, from, to), more: to < end };
  }

  private view(side: 'CR' | 'DR' | undefined, postedOnly: boolean): View {
    const name = `${side ?? ''}${postedOnly}`;
    let view = this.views.get(name);
    if (view === undefined) {
      view = written(
        this.all.filter(
          ({ row }) => (!postedOnly || row.state === 'POSTED') && (side === undefined || sideOf(row) === side),
        ),
      );
      this.views.set(name, view);
    }
    return view;
  }
}

function written(entries: readonly IndexedEntry[]): View {
  const texts = entries.map(({ row }) => `${JSON.stringify(row)},`);
  const json = Buffer.from(texts.toReversed().join(''));
  let begin = json.length;
  const begins = texts.map((text) => (begin -= Buffer.byteLength(text)));
  return { entries, json, begins: [json.length, ...begins] };
}

/** The entries from `from` up to, not including, `to`. */
function slice({ entries, json, begins }: View, from: number, to: number): Pick<FoundEntries, 'json' | 'rows'> {
  return {
    // Without the comma after the last of them.
    json: json.subarray(begins[to], Math.max(begins[to] ?? 0, (begins[from] ?? 0) - 1)),
    rows: () =>
      entries
        .slice(from, to)
        .map(({ row }) => row)
        .reverse(),
  };
}

function sideOf(row: EntryRow): 'CR' | 'DR' {
  return row.amt === 0 ? 'CR' : row.side;
}

/** Index of the first entry at or after the place. */
function firstFrom(view: readonly IndexedEntry[], atMs: number, key: string): number {
  let low = 0;
  let high = view.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = view[middle] as IndexedEntry;
    if (entry.atMs < atMs || (entry.atMs === atMs && entry.row.key < key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first entry after the place. */
function firstPast(view: readonly IndexedEntry[], past: { readonly atMs: number; readonly key: string }): number {
  const index = firstFrom(view, past.atMs, past.key);
  const entry = view[index];
  return entry?.atMs === past.atMs && entry.row.key === past.key ? index + 1 : index;
}

function clamped(low: number, value: number, high: number): number {
  return Math.min(Math.max(low, value), high);
}
