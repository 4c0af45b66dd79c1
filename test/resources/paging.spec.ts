import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CoreTransaction } from '../../packages/core-adapter/core.records.js';
import { PublicIds } from '../../src/open-banking/public-ids.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { helpUrl } from '../support/error-shape.js';
import { InMemoryHistory, positionOf } from '../support/in-memory-history.js';
import { follow, pageAt, type Page } from '../support/pages.js';
import { Stack, type Answer, type ConsentedCustomer } from '../support/stack.js';
import { watched, type AskedRead } from '../support/wrapped-adapter.js';

const linkNames = (page: Page): string[] => Object.keys(page.links).sort();
const inAll = ['First', 'Self'];

describe.each([25, 700])('12,000 transactions, %i to a page', (pageSize) => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let path: string;
  const asked: AskedRead[] = [];
  beforeAll(async () => {
    stack = await Stack.start({
      rules: { pageSize },
      adapter: (ledger) => watched(ledger, (read) => asked.push(read)),
    });
    customer = await stack.consent({ persona: 'history' });
    path = `${v3_1.basePath}/accounts/${customer.accountId('CurrentAccount')}/transactions`;
  });
  afterAll(() => stack.close());

  it('are all reached by Next, once each, newest first; Prev leads back over the same pages', async () => {
    asked.length = 0;
    const pages = await follow(stack, customer.token, path, 'Next');
    const ids = pages.flatMap((page) => page.ids);
    expect([pages.length, ids.length, new Set(ids).size]).toEqual([Math.ceil(12_000 / pageSize), 12_000, 12_000]);
    expect(pages.slice(0, -1).every((page) => page.ids.length === pageSize)).toBe(true);

    const times = pages.flatMap((page) => page.rows.map(({ BookingDateTime }) => Date.parse(BookingDateTime)));
    expect(times.every((time, index) => index === 0 || time <= (times[index - 1] as number))).toBe(true);

    // One read of one page for each answer, however long the history is: the gateway never holds more than a page.
    expect(asked.map(({ read, query }) => [read, query?.limit])).toEqual(pages.map(() => ['transactions', pageSize]));

    const [first, ...rest] = pages;
    expect(linkNames(first as Page)).toEqual([...inAll, 'Next'].sort());
    expect(linkNames(pages.at(-1) as Page)).toEqual([...inAll, 'Prev'].sort());
    for (const page of rest.slice(0, -1)) expect(linkNames(page)).toEqual([...inAll, 'Next', 'Prev'].sort());

    const back = await follow(stack, customer.token, pages.at(-1) as Page, 'Prev');
    expect(back.map((page) => page.ids)).toEqual(pages.map((page) => page.ids).reverse());
    expect(linkNames(back.at(-1) as Page)).toEqual([...inAll, 'Next'].sort());

    for (const page of [pages[0], pages[1], pages.at(-1)] as Page[]) {
      expect(page.links.Self).toBe(`https://gateway.example${path}`);
      expect((await pageAt(stack, customer.token, page.links.First as string)).ids).toEqual(pages[0]?.ids);
    }
  });
});

describe('the pages of a history, three rows each,', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let path: string;
  const history = new InMemoryHistory();
  const ids = new PublicIds('test-id-key-0123456789abcdef0123456789');
  const publicId = ids.uniqueIn('transaction', 'A100101');
  const startMs = Date.parse('2026-06-01T00:00:00Z');
  const row = (number: number, over: Partial<CoreTransaction> = {}): CoreTransaction => ({
    id: `row-${String(number).padStart(3, '0')}`,
    status: 'booked',
    at: new Date(startMs + number * 60_000),
    amount: { minorUnits: number % 2 === 0 ? 100n : -100n, currency: 'GBP' },
    ...over,
  });
  const rows = (count: number): CoreTransaction[] => Array.from({ length: count }, (_, index) => row(index));
  const inOrder = (all: readonly CoreTransaction[]): string[] =>
    [...all]
      .sort((a, b) => positionOf(b).atMs - positionOf(a).atMs || (a.id < b.id ? 1 : -1))
      .map(({ id }) => publicId(id));

  beforeAll(async () => {
    stack = await Stack.start({ rules: { pageSize: 3 }, adapter: (ledger) => history.in(ledger) });
    customer = await stack.consent({ persona: 'complete' });
    path = `${v3_1.basePath}/accounts/${customer.accountId('CurrentAccount')}/transactions`;
  });
  afterAll(() => stack.close());

  const ask = (link: string, token = customer.token): Promise<Answer> =>
    stack.ask(link.replace(stack.config.baseUrl, ''), { token });

  it('do not exist where all rows fit on one page', async () => {
    for (const [count, links] of [
      [0, ['Self']],
      [2, ['Self']],
      [3, ['Self']],
      [4, [...inAll, 'Next'].sort()],
    ] as const) {
      history.rows = rows(count);
      const page = await pageAt(stack, customer.token, path);
      expect([count, page.ids.length, linkNames(page)]).toEqual([count, Math.min(count, 3), links]);
    }
  });

  it('have no empty page at the end where the last is full', async () => {
    history.rows = rows(6);
    const pages = await follow(stack, customer.token, path, 'Next');
    expect(pages.map((page) => page.ids.length)).toEqual([3, 3]);
  });

  it('keep the filters in every link unchanged, and apply them', async () => {
    history.rows = rows(40);
    const query = '?fromBookingDateTime=2026-06-01T00:05:00%2B01:00&toBookingDateTime=20260601T0019&unknown=1';
    const kept = 'fromBookingDateTime=2026-06-01T00%3A05%3A00%2B01%3A00&toBookingDateTime=20260601T0019';
    const pages = await follow(stack, customer.token, path + query, 'Next');
    expect(pages.flatMap((page) => page.ids)).toEqual(inOrder(rows(20).slice(5)));
    expect(pages[1]?.links).toEqual({
      Self: `https://gateway.example${path}`,
      First: `https://gateway.example${path}?${kept}`,
      Prev: expect.stringContaining(`${path}?${kept}&page=`),
      Next: expect.stringContaining(`${path}?${kept}&page=`),
    });
    const plus = await follow(stack, customer.token, `${path}?fromBookingDateTime=2026-06-01T00:30:00+01:00`, 'Next');
    expect(plus.flatMap((page) => page.ids)).toEqual(inOrder(rows(40).slice(30)));
  });

  it('neither repeat nor lose a row while newer ones are added and pending ones are booked', async () => {
    history.rows = rows(11);
    let added = 500;
    const pages = await follow(stack, customer.token, path, 'Next', () => {
      history.rows = [...history.rows, row(added++), row(added++)];
    });
    expect(pages.flatMap((page) => page.ids)).toEqual(inOrder(rows(11)));

    const back = await follow(stack, customer.token, pages.at(-1) as Page, 'Prev');
    const whole = [...back].reverse().flatMap((page) => page.ids);
    expect(whole).toEqual(inOrder(history.rows));
  });

  it('are found again although the row at their edge has disappeared', async () => {
    history.rows = rows(9);
    const first = await pageAt(stack, customer.token, path);
    history.rows = rows(9).filter(({ id }) => id !== 'row-006');
    expect((await pageAt(stack, customer.token, first.links.Next as string)).ids).toEqual(inOrder(rows(6)).slice(0, 3));
  });

  it('omit a row without a valid date at any place, and neither repeat nor lose another row', async () => {
    // Two neighbouring bad rows leave one good row to each page of three, within a page, at its edge or across it.
    for (let number = 0; number < 8; number++) {
      history.rows = rows(9);
      history.undatable = [`row-00${number}`, `row-00${number + 1}`];
      const good = inOrder(history.rows.filter(({ id }) => !history.undatable.includes(id)));
      const pages = await follow(stack, customer.token, path, 'Next');
      expect([number, pages.flatMap((page) => page.ids)]).toEqual([number, good]);
      const back = await follow(stack, customer.token, pages.at(-1) as Page, 'Prev');
      expect([number, [...back].reverse().flatMap((page) => page.ids)]).toEqual([number, good]);
    }
    history.undatable = [];
  });

  it('count a row without a valid date at their edge like any other bad one', async () => {
    const counted = async (): Promise<number> => {
      const { body } = await stack.gateway.bankServer.inject('/metrics');
      return Number(/gateway_core_bad_records_total\{core="ledger",read="transactions"\} (\d+)/.exec(body)?.[1] ?? 0);
    };
    history.rows = rows(3);
    for (const id of ['row-000', 'row-001', 'row-002']) {
      history.undatable = [id];
      const before = await counted();
      expect((await pageAt(stack, customer.token, path)).ids).toHaveLength(2);
      expect([id, (await counted()) - before]).toEqual([id, 1]);
    }
    history.undatable = [];
  });

  it.each(['adapter', 'mapper'] as const)(
    'are empty, with links, where the %s can read none of their rows: the rows behind them are reached both ways',
    async (by) => {
      for (const bad of [
        ['row-000'],
        ['row-003', 'row-004', 'row-005'],
        ['row-006', 'row-005', 'row-004'],
        ['row-000', 'row-001', 'row-002', 'row-003'],
      ]) {
        const all = rows(bad[0] === 'row-006' ? 7 : bad.length === 1 ? 4 : 10);
        history.unreadable = by === 'adapter' ? bad : [];
        history.rows = all.map((one) =>
          by === 'mapper' && bad.includes(one.id) ? { ...one, amount: { minorUnits: 1n, currency: 'QQQ' } } : one,
        );
        const good = inOrder(all.filter(({ id }) => !bad.includes(id)));
        const pages = await follow(stack, customer.token, path, 'Next');
        expect([bad, pages.flatMap((page) => page.ids)]).toEqual([bad, good]);
        const back = await follow(stack, customer.token, pages.at(-1) as Page, 'Prev');
        expect(back.map((page) => page.ids).reverse()).toEqual(pages.map((page) => page.ids));
      }
      history.unreadable = [];
    },
  );

  it('fail where no row can be read, not even a place behind which the next page begins', async () => {
    history.rows = rows(3);
    history.unreadable = history.rows.map(({ id }) => id);
    expect((await ask(path)).status).toBe(500);
    history.unreadable = [];
    history.rows = rows(9);
    history.undatable = ['row-006', 'row-007', 'row-008'];
    expect((await ask(path)).status).toBe(500);
    history.undatable = [];
  });

  it('belong to one consent, account and filter: with any other, they are 400 at `page`', async () => {
    history.rows = rows(40);
    const filter = 'fromBookingDateTime=2026-06-01T00:05';
    const { links } = await pageAt(stack, customer.token, `${path}?${filter}`);
    const cursor = new URL(links.Next as string).searchParams.get('page') as string;
    const flipped = cursor.slice(0, 20) + (cursor[20] === 'A' ? 'B' : 'A') + cursor.slice(21);
    const other = await stack.consent({ persona: 'complete' });
    const savings = path.replace(customer.accountId('CurrentAccount'), customer.accountId('Savings'));
    const refused: [why: string, link: string, token?: string][] = [
      ['tampered', `${path}?${filter}&page=${flipped}`],
      ['cut', `${path}?${filter}&page=${cursor.slice(0, -1)}`],
      ['lengthened', `${path}?${filter}&page=${cursor}A`],
      ['padded', `${path}?${filter}&page=${cursor}=`],
      ['spaced', `${path}?${filter}&page=%20${cursor}`],
      ['empty', `${path}?${filter}&page=`],
      ['a number', `${path}?${filter}&page=2`],
      ['given twice', `${path}?${filter}&page=${cursor}&page=${cursor}`],
      ['without its filter', `${path}?page=${cursor}`],
      ['with another filter', `${path}?fromBookingDateTime=2026-06-01T00:06&page=${cursor}`],
      ['with one filter more', `${path}?${filter}&toBookingDateTime=2026-06-02&page=${cursor}`],
      ['of another account', `${savings}?${filter}&page=${cursor}`],
      ['of another consent', `${path}?${filter}&page=${cursor}`, other.token],
    ];
    for (const [why, link, token] of refused) {
      const { status, json } = await ask(link, token);
      expect([why, status, json?.Code, json?.Errors]).toEqual([
        why,
        400,
        '400 BadRequest',
        [{ ErrorCode: 'UK.OBIE.Field.Invalid', Message: expect.any(String), Path: 'page', Url: helpUrl }],
      ]);
    }
    expect((await ask(`${path}?${filter}&page=${cursor}`)).status).toBe(200);
    expect((await ask(`${path}?page=${cursor}&${filter}`)).status).toBe(200);
  });

  it('reveal nothing in their cursors, which differ even for the same page', async () => {
    history.rows = rows(9);
    const cursors = await Promise.all(
      [1, 2].map(async () => new URL((await pageAt(stack, customer.token, path)).links.Next as string).searchParams),
    );
    const [one, two] = cursors.map((query) => query.get('page') as string);
    expect(one).not.toBe(two);
    expect(Buffer.from(one as string, 'base64url').toString('latin1')).not.toMatch(/row-|A100101|older|limit/);
  });

  it('pass all guards again', async () => {
    history.rows = rows(9);
    const another = await stack.consent({ persona: 'complete' });
    const { links } = await pageAt(stack, another.token, path);
    await stack.report(`/consents/${another.consentId}/revoke`, {});
    expect((await ask(links.Next as string, another.token)).status).toBe(401);
  });

  const moments = fc.oneof(
    fc.integer({ min: 0, max: 6 }).map((minutes) => new Date(startMs + minutes * 60_000)),
    fc.constantFrom({ date: '2026-06-01' }, { date: '2026-06-02' }, { date: '2026-05-31' }),
  );
  const histories = fc.uniqueArray(
    fc.record({ id: fc.stringMatching(/^[a-zA-Z0-9-]{1,3}$/), at: moments, inFavour: fc.boolean() }),
    { maxLength: 20, selector: ({ id }) => id },
  );

  it('contain each row of any history once and in order, forwards and backwards', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (generated) => {
        history.rows = generated.map(({ id, at, inFavour }) => ({
          ...row(0),
          id,
          at,
          amount: { minorUnits: inFavour ? 1n : -1n, currency: 'GBP' },
        }));
        const pages = await follow(stack, customer.token, path, 'Next');
        expect(pages.flatMap((page) => page.ids)).toEqual(inOrder(history.rows));
        const back = await follow(stack, customer.token, pages.at(-1) as Page, 'Prev');
        expect(back.map((page) => page.ids).reverse()).toEqual(pages.map((page) => page.ids));
        expect('Next' in (pages[0] as Page).links).toBe(generated.length > 3);
      }),
      { numRuns: 15 },
    );
  });
});
