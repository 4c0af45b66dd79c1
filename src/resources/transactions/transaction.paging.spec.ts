import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import type { PageCursor } from '../../open-banking/page-cursor.js';
import { InMemoryHistory, positionOf } from '../../../test/support/in-memory-history.js';
import { pageLinks, rowsOf } from './transaction.paging.js';

interface Page {
  readonly ids: readonly string[];
  readonly links: Readonly<Record<'First' | 'Prev' | 'Next', string | undefined>> | undefined;
}

/** A page as the controller makes it. A link is its cursor as JSON; the link of the first page is the empty text. */
function page(history: InMemoryHistory, link: string | undefined, pageSize: number): Page {
  const cursor = link ? (JSON.parse(link) as PageCursor) : undefined;
  const { items, more } = history.read({ ...rowsOf(cursor, pageSize) });
  const [first, last] = [items[0], items.at(-1)].map((row) => row && positionOf(row));
  const read = { first, last, more };
  const links = pageLinks(cursor, read, pageSize, 1, (to) => (to === undefined ? '' : JSON.stringify(to)));
  return { ids: items.map(({ id }) => id), links: links && { Prev: undefined, Next: undefined, ...links } };
}

function walk(history: InMemoryHistory, start: string | undefined, by: 'Next' | 'Prev', size: number): Page[] {
  const pages = [page(history, start, size)];
  for (let link = pages[0]?.links?.[by]; link !== undefined; link = pages.at(-1)?.links?.[by])
    pages.push(page(history, link, size));
  return pages;
}

const rows = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[\x20-\x7e\u{1f300}-\u{1f310}]{1,3}$/u),
    at: fc.oneof(
      fc.integer({ min: 0, max: 5 }).map((ms) => new Date(ms)),
      fc.constantFrom({ date: '1970-01-01' }, { date: '1970-01-02' }),
    ),
  }),
  { maxLength: 30, selector: ({ id }) => id },
);
const histories = rows.map(
  (all) =>
    new InMemoryHistory(
      all.map((row): CoreTransaction => ({ ...row, status: 'booked', amount: { minorUnits: 1n, currency: 'GBP' } })),
    ),
);
const newestFirst = (history: InMemoryHistory): string[] =>
  history.read({ read: 'older', limit: 1_000 }).items.map(({ id }) => id);

describe('the pages of a history', () => {
  it('contain each row once and in order, forwards by Next and backwards by Prev', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 12 }), (history, size) => {
        const allIds = newestFirst(history);
        const forth = walk(history, undefined, 'Next', size);
        expect(forth.flatMap(({ ids }) => ids)).toEqual(allIds);
        expect(forth.every(({ ids }) => ids.length <= size)).toBe(true);
        if (allIds.length <= size) return expect(forth.map(({ links }) => links)).toEqual([undefined]);

        for (const [index, { links }] of forth.entries()) {
          expect([links?.Prev !== undefined, links?.Next !== undefined]).toEqual([index > 0, index < forth.length - 1]);
          expect(page(history, links?.First, size).ids).toEqual(forth[0]?.ids);
        }
        const back = walk(history, forth.at(-1)?.links?.Prev, 'Prev', size);
        expect(back.reverse().map(({ ids }) => ids)).toEqual(forth.slice(0, -1).map(({ ids }) => ids));
      }),
    );
  });

  it('neither repeat nor lose a row of the first page’s time while newer rows are added anywhere', () => {
    fc.assert(
      fc.property(histories, histories, fc.integer({ min: 1, max: 5 }), (history, added, size) => {
        const whole = newestFirst(history);
        const newer = added.rows.map((row) => ({ ...row, id: `new-${row.id}`, at: new Date(86_400_001) }));
        const shown: string[] = [];
        let link: string | undefined = '';
        while (link !== undefined) {
          const { ids, links }: Page = page(history, link, size);
          shown.push(...ids);
          link = links?.Next;
          history.rows = [...history.rows, ...newer.splice(0, 2)];
        }
        expect(shown).toEqual(whole);
      }),
    );
  });

  it('keep the moment of the first page and the rows of a page in every cursor', () => {
    const history = new InMemoryHistory(
      ['a', 'b', 'c'].map((id) => ({
        id,
        status: 'booked',
        at: new Date(5),
        amount: { minorUnits: 1n, currency: 'GBP' },
      })),
    );
    const { links } = page(history, undefined, 2);
    expect(JSON.parse(String(links?.Next))).toEqual({
      read: 'older',
      position: { atMs: 5, id: 'b' },
      limit: 2,
      firstAskedAtMs: 1,
    });
  });
});
