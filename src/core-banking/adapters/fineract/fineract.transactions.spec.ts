import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kitServices } from '../../../../packages/adapter-kit/kit-services.js';
import { FineractStub } from '../../../../test/cores/fineract/fineract-stub.js';
import type { SavingsRow, TransactionRow } from '../../../../test/cores/fineract/fineract.model.js';
import { savings, smallBank, smallBankVariables, transaction } from '../../../../test/cores/fineract/small-bank.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import type { CoreContext, CoreTransactionsRead } from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import type {
  CalendarDate,
  CoreTransaction,
  TransactionPosition,
  TransactionQuery,
} from '../../../../packages/core-adapter/core.records.js';
import { createAdapter, type FineractAdapter } from './fineract.adapter.js';

describe('the transactions of Fineract', () => {
  let stub: FineractStub;
  let core: FineractAdapter;
  let nextAccount = 400;

  beforeAll(async () => {
    stub = await FineractStub.start({ model: smallBank(), clock: new FakeClock(Date.parse('2026-06-15T12:00:00Z')) });
    core = createAdapter({ url: stub.url, connections: 4, variables: smallBankVariables }, kitServices);
  });
  afterAll(async () => {
    await core.close();
    await stub.close();
  });

  const person: CoreContext = {
    interactionId: 'i',
    customerRef: '7',
    customerPresent: true,
    signal: new AbortController().signal,
  };

  function accountWith(transactions: TransactionRow[]): SavingsRow {
    const account = savings({ id: nextAccount++, clientId: 7, transactions });
    stub.model.accounts.push(account);
    return account;
  }
  const read = (account: SavingsRow, query: Partial<TransactionQuery> = {}): Promise<CoreTransactionsRead> =>
    core.transactions(String(account.id), { read: 'older', limit: 1000, ...query }, person);
  const numbers = (items: readonly CoreTransaction[]): number[] => items.map(({ id }) => Number(id));
  const found = async (account: SavingsRow, query: Partial<TransactionQuery> = {}): Promise<number[]> =>
    numbers((await read(account, query)).items);
  const positionOf = ({ id, at }: CoreTransaction): TransactionPosition => ({
    id,
    atMs: Date.parse((at as CalendarDate).date),
  });

  async function walk(account: SavingsRow, query: Partial<TransactionQuery>, between?: () => void): Promise<number[]> {
    const pages: number[][] = [];
    for (let position: TransactionPosition | undefined; ;) {
      const page = await read(account, { ...query, position });
      pages.push(numbers(page.items));
      between?.();
      const edge = query.read === 'newer' ? page.items.at(0) : page.items.at(-1);
      if (!page.more || edge === undefined) return (query.read === 'newer' ? pages.reverse() : pages).flat();
      position = positionOf(edge);
    }
  }

  describe('a transaction', () => {
    const only = async (row: TransactionRow): Promise<CoreTransaction | undefined> =>
      (await read(accountWith([row]))).items[0];

    it('is booked on the day on which it was submitted, without an invented time of day', async () => {
      const row = transaction({ id: 9, date: '2024-02-29', submittedOnDate: '2024-03-01', amount: '12.340000' });
      expect(await only({ ...row, runningBalance: '-5.000000' })).toEqual({
        id: '0000000000000000009',
        status: 'booked',
        at: { date: '2024-03-01' },
        valueAt: { date: '2024-02-29' },
        amount: { minorUnits: 1234n, currency: 'GBP' },
        description: 'Deposit',
        runningBalance: { minorUnits: -500n, currency: 'GBP' },
      });
    });

    it('has a running balance only where Fineract has computed one, and zero where that is zero', async () => {
      const row = transaction({ id: 9 });
      expect(await only(row)).toHaveProperty('runningBalance', undefined);
      const nothingLeft = await only({ ...row, runningBalance: '0.000000' });
      expect(nothingLeft?.runningBalance).toEqual({ minorUnits: 0n, currency: 'GBP' });
    });

    it.each([
      [1, 1],
      [2, -1],
      [3, 1],
      [4, -1],
      [5, -1],
      [7, -1],
      [8, 1],
      [17, -1],
      [18, -1],
      [19, -1],
    ])('of type %i counts %i in the customer’s favour', async (type, sign) => {
      expect((await only(transaction({ id: 1, type })))?.amount.minorUnits).toBe(BigInt(sign * 1000));
    });

    it.each([6, 10, 12, 13, 14, 15, 16, 21])(
      'of type %i is omitted, because it is internal to Fineract',
      async (type) => {
        expect(await only(transaction({ id: 1, type }))).toBeUndefined();
      },
    );

    it('is pending while it is a hold that has not been released', async () => {
      const hold = transaction({ id: 1, type: 20, submittedOnDate: '2026-06-03' });
      expect(await only(hold)).toEqual({
        id: expect.any(String),
        status: 'pending',
        at: { date: '2026-06-03' },
        madeAt: { date: '2026-06-03' },
        amount: { minorUnits: -1000n, currency: 'GBP' },
        description: 'Amount on hold',
      });
      expect(await only({ ...hold, releaseTransactionId: 2 })).toBeUndefined();
    });

    it('is omitted when it was reversed, and so is its reversal', async () => {
      expect(await only(transaction({ id: 1, reversed: true }))).toBeUndefined();
      expect(await only(transaction({ id: 1, isReversal: true }))).toBeUndefined();
    });

    it('is described by its note, transfer, payment type or kind, in this order, and never by its user', async () => {
      const text = async (over: Partial<TransactionRow>): Promise<unknown> =>
        (await only(transaction({ id: 1, ...over })))?.description;
      const paid = { paymentType: 'Cash', transferDescription: 'Rent', notes: [' Flat 3 '] };
      expect(await text(paid)).toBe('Flat 3');
      expect(await text({ ...paid, notes: [' '] })).toBe('Rent');
      expect(await text({ paymentType: 'Cash' })).toBe('Cash');
      expect(await text({})).toBe('Deposit');
      const account = accountWith([transaction({ id: 1 })]);
      expect(
        JSON.stringify((await read(account)).items, (_, value) => (typeof value === 'bigint' ? 0 : value)),
      ).not.toContain('teller7');
    });

    it('is named as a bad record when it cannot be read, among good ones', async () => {
      const account = accountWith([
        transaction({ id: 3 }),
        transaction({ id: 2, amount: '1.001000' }),
        transaction({ id: 1, submittedOnDate: '2026-02-30' }),
      ]);
      const { items, bad } = await read(account);
      expect(numbers(items)).toEqual([3]);
      expect(bad).toEqual([
        {
          where: 'transactions[1]',
          fault: 'amount: finer than the minor unit of its currency',
          position: { atMs: Date.UTC(2026, 5, 1), id: '0000000000000000002' },
        },
        { where: 'transactions[2]', fault: 'submittedOnDate: not a day' },
      ]);
    });
  });

  describe('a row that cannot be read', () => {
    const account = (): SavingsRow =>
      accountWith(
        [6, 5, 4, 3, 2, 1].map((id) => transaction({ id, amount: id === 5 || id === 2 ? '1.001000' : '1.000000' })),
      );

    it('takes a place on its page, and is reported once', async () => {
      const rows = account();
      const first = await read(rows, { limit: 3 });
      expect([numbers(first.items), first.bad.length, first.more]).toEqual([[6, 4], 1, true]);
      const position = positionOf(first.items[1] as CoreTransaction);
      const second = await read(rows, { limit: 3, position });
      expect([numbers(second.items), second.bad.length, second.more]).toEqual([[3, 1], 1, false]);
    });
  });

  describe('the pages of a history', () => {
    // 40 days of 20 rows each, some doubled, reversed or released; ids in the order of booking.
    const rows = Array.from({ length: 800 }, (_, index): TransactionRow => {
      const submittedOnDate = new Date(Date.UTC(2026, 3, 1 + Math.floor(index / 20))).toISOString().slice(0, 10);
      return transaction({
        id: index + 1,
        submittedOnDate,
        date: '2026-01-01',
        type: index % 3 === 0 ? 2 : 1,
        ...(index % 7 === 0 && { notes: ['one', 'two', 'three'] }),
        ...(index % 11 === 0 && { reversed: true }),
        ...(index % 13 === 0 && { type: 20, releaseTransactionId: index % 2 }),
      });
    });
    const isThere = ({ reversed, type, releaseTransactionId }: TransactionRow): boolean =>
      reversed !== true && !(type === 20 && releaseTransactionId !== 0);
    const out = ({ type }: TransactionRow): boolean => type === 2 || type === 20;
    let account: SavingsRow;
    beforeAll(() => {
      account = accountWith(rows);
    });

    it.each<[string, Partial<TransactionQuery>, (row: TransactionRow) => boolean]>([
      ['everything', {}, () => true],
      ['money in', { direction: 'credit' }, (row) => !out(row)],
      ['money out', { direction: 'debit' }, out],
      ['booked ones', { status: 'booked' }, ({ type }) => type !== 20],
      ['from a day', { from: new Date('2026-04-20') }, ({ submittedOnDate: day }) => day >= '2026-04-20'],
      [
        'from within a day',
        { from: new Date('2026-04-20T00:00:00.001Z') },
        ({ submittedOnDate: day }) => day > '2026-04-20',
      ],
      ['up to a day', { to: new Date('2026-04-20') }, ({ submittedOnDate: day }) => day < '2026-04-20'],
      [
        'up to within a day',
        { to: new Date('2026-04-20T00:00:00.001Z') },
        ({ submittedOnDate: day }) => day <= '2026-04-20',
      ],
      [
        'one day',
        { from: new Date('2026-04-20'), to: new Date('2026-04-21') },
        ({ submittedOnDate: day }) => day === '2026-04-20',
      ],
      ['no day', { from: new Date('2026-04-20'), to: new Date('2026-04-20') }, () => false],
      ['all of time', { from: new Date(-8.64e15), to: new Date(8.64e15) }, () => true],
      ['none of time', { from: new Date(8.64e15) }, () => false],
    ])(
      'of %s are the whole, newest first, without repeats, from either side and in any size',
      async (_, query, fits) => {
        const whole = rows
          .filter((row) => isThere(row) && fits(row))
          .map(({ id }) => id)
          .reverse();
        for (const limit of [1000, 97, 19]) {
          expect(await walk(account, { ...query, limit })).toEqual(whole);
          expect(await walk(account, { ...query, limit, read: 'newer' })).toEqual(whole);
        }
      },
    );

    it('stay the same while others are booked between them, today or backdated', async () => {
      const growing = accountWith([...rows]);
      let id = 10_000;
      const book = (): void => {
        for (const date of ['2026-05-30', '2026-01-02'])
          growing.transactions.push(transaction({ id: id++, date, submittedOnDate: '2026-05-30', notes: ['a', 'b'] }));
      };
      const whole = rows
        .filter(isThere)
        .map((row) => row.id)
        .reverse();
      expect(await walk(growing, { limit: 50 }, book)).toEqual(whole);
    });

    it('stay whole while others are booked between two calls of one read', async () => {
      const growing = accountWith([...rows]);
      let id = 10_000;
      stub.intercept = (_, __, url) => {
        if (url.pathname.endsWith('/search'))
          growing.transactions.push(transaction({ id: id++, submittedOnDate: '2026-05-30' }));
        return 'not handled';
      };
      // All on one day, with enough reversed ones that a second call is needed.
      const undone = rows.map((row) => ({ ...row, reversed: row.id % 5 !== 0 }));
      growing.transactions.splice(0, 800, ...undone);
      const seen = await found(growing, { limit: 100 });
      delete stub.intercept;
      const whole = undone
        .filter(isThere)
        .map((row) => row.id)
        .reverse();
      expect(seen.filter((one) => one < 10_000)).toEqual(whole.slice(0, 99));
      expect(seen.filter((one) => one >= 10_000)).toHaveLength(1);
    });

    it('say that there is more only if another row follows', async () => {
      const exact = accountWith(
        rows.slice(0, 5).map((row) => ({ ...row, type: 1, reversed: false, notes: ['a', 'b'] })),
      );
      expect((await read(exact, { limit: 5 })).more).toBe(false);
      expect((await read(exact, { limit: 4 })).more).toBe(true);
      const undone = accountWith([transaction({ id: 2 }), transaction({ id: 1, reversed: true })]);
      expect((await read(undone, { limit: 1 })).more).toBe(false);
    });

    it('show the same one of two notes, whatever their order', async () => {
      const text = async (notes: string[]): Promise<unknown> =>
        (await read(accountWith([transaction({ id: 1, notes })]))).items[0]?.description;
      expect(await text(['later', 'earlier'])).toBe(await text(['earlier', 'later']));
    });

    it('show it also where the two stand on different pages of the search', async () => {
      const many = Array.from({ length: 27 }, (_, index) => transaction({ id: index + 1, notes: ['b', 'a'] }));
      const { items } = await read(accountWith(many), { limit: 26 });
      expect(items.map(({ description }) => description)).toEqual(Array.from({ length: 26 }, () => 'a'));
    });

    it('of one very busy day are whole', async () => {
      const busy = accountWith(Array.from({ length: 700 }, (_, index) => transaction({ id: index + 1 })));
      expect(await walk(busy, { limit: 60 })).toEqual(Array.from({ length: 700 }, (_, index) => 700 - index));
    });

    it('request only the days of the query, ordered by booking day and id', async () => {
      stub.calls.length = 0;
      await read(account, {
        from: new Date('2026-04-20T10:00:00Z'),
        to: new Date('2026-04-22'),
        direction: 'credit',
        limit: 10,
      });
      const { query } = stub.calls.find(({ path }) => path.endsWith('/search')) as (typeof stub.calls)[number];
      expect(Object.fromEntries(query)).toEqual({
        fromSubmittedDate: '2026-04-21',
        toSubmittedDate: '2026-04-21',
        dateFormat: 'yyyy-MM-dd',
        locale: 'en',
        orderBy: 'submittedOnDate,id',
        sortOrder: 'DESC',
        types: '1,3,8',
        limit: '36',
        offset: '0',
      });
    });

    it('of a core that does not keep the order are a bad record', async () => {
      stub.intercept = (_, response, url) => {
        if (!url.pathname.endsWith('/search')) return 'not handled';
        const body = { content: [1, 2].map((id) => ({ ...plainRow, id })), total: 2 };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        return 'handled';
      };
      const fault = await read(account).catch((error: unknown) => error);
      delete stub.intercept;
      expect(fault).toEqual(new CoreError('bad-record', 'Fineract did not keep the order of its transactions'));
    });
  });
});

const plainRow = {
  transactionType: { id: 1, value: 'Deposit' },
  date: [2026, 6, 1],
  submittedOnDate: [2026, 6, 1],
  currency: { code: 'GBP' },
  amount: 5,
};
