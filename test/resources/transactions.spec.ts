import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CoreTransaction } from '../../packages/core-adapter/core.records.js';
import { InMemoryHistory } from '../support/in-memory-history.js';
import { allPermissions, Stack, type ConsentOptions, type ConsentedCustomer, type Json } from '../support/stack.js';

type Row = Record<string, Json>;

async function transactions(stack: Stack, customer: ConsentedCustomer, account: string, query = ''): Promise<Row[]> {
  const path = `/accounts/${customer.accountId(account)}/transactions${query}`;
  const { status, json } = await stack.ask(path, { token: customer.token });
  expect([path, status]).toEqual([path, 200]);
  return json.Data.Transaction;
}
const saying = (rows: Row[], text: string): Row => {
  const found = rows.find(({ TransactionInformation }) => String(TransactionInformation).startsWith(text));
  if (found === undefined) throw new Error(`no transaction says ${text}`);
  return found;
};
const gbp = (amount: string): unknown => ({ Amount: amount, Currency: 'GBP' });
const anId = expect.stringMatching(/^[0-9a-f]{32}$/);

describe('transactions of the sandbox’s personas', () => {
  let stack: Stack;
  let complete: ConsentedCustomer;
  beforeAll(async () => {
    stack = await Stack.start();
    complete = await stack.consent({ persona: 'complete' });
  });
  afterAll(() => stack.close());

  it('are Booked and complete when posted, with the balance after them and a number as the rate', async () => {
    const rows = await transactions(stack, complete, 'CurrentAccount');
    expect(saying(rows, 'CIRRUS STORAGE SAN FRANCISCO 2026-05-15')).toEqual({
      AccountId: complete.accountId('CurrentAccount'),
      TransactionId: anId,
      CreditDebitIndicator: 'Debit',
      Status: 'Booked',
      BookingDateTime: expect.stringMatching(/^2026-05-15T13:00:\d\d\.\d{3}\+00:00$/),
      Amount: gbp('8.71'),
      TransactionInformation: 'CIRRUS STORAGE SAN FRANCISCO 2026-05-15',
      Balance: { CreditDebitIndicator: expect.any(String), Type: 'ClosingBooked', Amount: expect.anything() },
      CurrencyExchange: { SourceCurrency: 'USD', ExchangeRate: 1.2624 },
    });
    expect(saying(rows, 'MERIDIAN PUBLISHING SALARY 2026-05-28').ValueDateTime).toBe('2026-05-28T00:00:00+00:00');
  });

  it('are Pending when they are pending, with an empty BookingDateTime and, in a foreign currency, an empty exchange', async () => {
    const [cafe, hotel] = await transactions(stack, complete, 'CurrentAccount');
    const common = {
      AccountId: complete.accountId('CurrentAccount'),
      TransactionId: anId,
      CreditDebitIndicator: 'Debit',
    };
    const pending = { Status: 'Pending', BookingDateTime: '' };
    expect([cafe, hotel]).toEqual([
      { ...common, ...pending, Amount: gbp('4.80'), TransactionInformation: 'LANTERN CAFE' },
      {
        ...common,
        ...pending,
        Amount: gbp('142.00'),
        TransactionInformation: 'HOTEL LISBOA',
        CurrencyExchange: { SourceCurrency: '', ExchangeRate: '' },
      },
    ]);
  });

  it('include pending ones on credit cards and Rewards Pay+, and only posted ones on Savings and Round Up', async () => {
    const pending: Record<string, number> = {};
    for (const { Product } of complete.accounts) {
      const rows = await transactions(stack, complete, Product);
      expect(rows.length).toBeGreaterThan(2);
      pending[Product] = rows.filter(({ Status }) => Status === 'Pending').length;
    }
    expect(pending).toEqual({ CurrentAccount: 2, Savings: 0, CreditCard: 2, RewardsPayPlus: 1, RoundUp: 0 });
  });

  it('end with their date in London: 23:30Z in summer is the next day', async () => {
    const calendar = await stack.consent({ persona: 'calendar' });
    const rows = await transactions(stack, calendar, 'CurrentAccount');
    const shown = rows.map(({ TransactionInformation, BookingDateTime }) => [TransactionInformation, BookingDateTime]);
    expect(shown).toEqual([
      ['SPRING SUNDAY 23:30Z 2026-03-30', '2026-03-29T23:30:00+00:00'],
      ['AFTER THE CLOCKS GO FORWARD 2026-03-29', '2026-03-29T01:00:00+00:00'],
      ['BEFORE THE CLOCKS GO FORWARD 2026-03-29', '2026-03-29T00:59:00+00:00'],
      ['NEW YEAR MIDNIGHT 2026-01-01', '2026-01-01T00:00:00+00:00'],
      ['OLD YEAR 2025-12-31', '2025-12-31T23:59:00+00:00'],
      ['HALF PAST ONE, WINTER TIME 2025-10-26', '2025-10-26T01:30:00+00:00'],
      ['HALF PAST ONE, SUMMER TIME 2025-10-26', '2025-10-26T00:30:00+00:00'],
      ['AUTUMN SATURDAY 23:30Z 2025-10-26', '2025-10-25T23:30:00+00:00'],
      ['SUMMER NIGHT 23:30Z 2025-07-11', '2025-07-10T23:30:00+00:00'],
      ['SUMMER EVENING 22:59Z 2025-07-10', '2025-07-10T22:59:00+00:00'],
      ['SUMMER DAY WITHOUT A TIME 2025-07-10', '2025-07-10T00:00:00+00:00'],
      ['LEAP DAY LATE 2024-02-29', '2024-02-29T23:59:00+00:00'],
      ['LEAP DAY LUNCH 2024-02-29', '2024-02-29T12:00:00+00:00'],
      ['LEAP DAY WITHOUT A TIME 2024-02-29', '2024-02-29T00:00:00+00:00'],
    ]);
  });

  it('keep their date when the text is cut to 500 characters, and are the date alone without a text', async () => {
    const traveller = await stack.consent({ persona: 'traveller' });
    const rows = await transactions(stack, traveller, 'A101401');
    const long = saying(rows, 'A VERY LONG STORY').TransactionInformation;
    expect(long).toMatch(/STORY A VERY.* 2026-06-06$/);
    expect(long.length).toBeGreaterThan(480);
    expect(long.length).toBeLessThanOrEqual(500);
    expect(saying(rows, '2026-06-07')).toMatchObject({ TransactionInformation: '2026-06-07', Amount: gbp('24.00') });
  });

  it('of zero are Credit', async () => {
    const rows = await transactions(stack, complete, 'CurrentAccount');
    expect(saying(rows, 'CARD VERIFICATION')).toMatchObject({ CreditDebitIndicator: 'Credit', Amount: gbp('0.00') });
  });

  it('are only incoming ones with the Credits code, including zero, only outgoing ones with the Debits code, and all with both', async () => {
    const ids = async (...codes: string[]): Promise<string[]> => {
      const others = allPermissions('profile-2').filter((code) => !/Transactions(Credits|Debits)$/.test(code));
      const customer = await stack.consent({ persona: 'complete', permissions: [...others, ...codes] });
      const rows = await transactions(stack, customer, 'CurrentAccount');
      const wanted = codes.map((code) => (code.endsWith('Credits') ? 'Credit' : 'Debit'));
      expect(new Set(rows.map((row) => row.CreditDebitIndicator))).toEqual(new Set(wanted));
      return rows.map(({ TransactionId }) => TransactionId);
    };
    const credits = await ids('ReadTransactionsCredits');
    const debits = await ids('ReadTransactionsDebits');
    const all = await ids('ReadTransactionsCredits', 'ReadTransactionsDebits');
    expect(credits.length + debits.length).toBe(all.length);
    expect(new Set([...credits, ...debits])).toEqual(new Set(all));
    expect(all).toEqual((await transactions(stack, complete, 'CurrentAccount')).map((row) => row.TransactionId));
  });

  it('keep their ids from call to call and from consent to consent', async () => {
    const ids = async (customer: ConsentedCustomer): Promise<string[]> =>
      (await transactions(stack, customer, 'CreditCard')).map(({ TransactionId }) => TransactionId);
    const first = await ids(complete);
    expect(new Set(first).size).toBe(first.length);
    expect(await ids(complete)).toEqual(first);
    expect(await ids(await stack.consent({ persona: 'complete', clientId: 'tpp-two' }))).toEqual(first);
  });
});

describe('a history in the core', () => {
  let stack: Stack;
  const history = new InMemoryHistory();
  const at = (text: string): Date => new Date(`2026-06-${text}Z`);
  const row = (id: string, when: CoreTransaction['at'], over: Partial<CoreTransaction> = {}): CoreTransaction => ({
    id,
    status: 'booked',
    at: when,
    amount: { minorUnits: -100n, currency: 'GBP' },
    description: id,
    ...over,
  });
  const pending = (id: string, madeAt: Date): CoreTransaction =>
    row(id, madeAt, { status: 'pending', expectedBookingAt: at('20T00:00'), madeAt });

  beforeAll(async () => {
    stack = await Stack.start({
      adapter: (ledger) => history.in(ledger),
      profileSettings: { pendingFields: 'expected' },
    });
  });
  beforeEach(() => {
    history.rows = [
      row('booked-early', at('10T09:00')),
      pending('pending', at('12T09:00')),
      row('booked-late', at('14T09:00')),
      row('day-only', { date: '2026-06-13' }),
      row('equal-b', at('11T09:00')),
      row('equal-a', at('11T09:00')),
    ];
  });
  afterAll(() => stack.close());

  const descriptions = async (options: Partial<ConsentOptions> = {}, query = ''): Promise<string[]> => {
    const customer = await stack.consent({ persona: 'complete', ...options });
    const rows = await transactions(stack, customer, 'CurrentAccount', query);
    return rows.map(({ TransactionInformation }) => TransactionInformation.split(' ')[0]);
  };

  it('comes newest first, with pending transactions at their time of purchase, and equal times by id', async () => {
    expect(await descriptions()).toEqual(['booked-late', 'day-only', 'pending', 'equal-b', 'equal-a', 'booked-early']);
  });

  it('shows the expected booking time of a pending transaction, and no exchange, where the profile asks for it', async () => {
    const exchange = { sourceCurrency: 'EUR', rate: '1.1' };
    const unexpected = { ...pending('unexpected', at('12T08:00')), expectedBookingAt: undefined };
    history.rows = [
      { ...pending('expected', at('12T09:00')), exchange },
      { ...unexpected, exchange },
    ];
    const customer = await stack.consent({ persona: 'complete' });
    const rows = await transactions(stack, customer, 'CurrentAccount');
    expect(rows.map(({ Status, BookingDateTime }) => [Status, BookingDateTime])).toEqual([
      ['Pending', '2026-06-20T00:00:00+00:00'],
      ['Pending', ''],
    ]);
    for (const shown of rows) expect(shown).not.toHaveProperty('CurrencyExchange');
  });

  it('is filtered by the time of purchase of a pending transaction, not by its expected booking time', async () => {
    const only = '?fromBookingDateTime=2026-06-12&toBookingDateTime=2026-06-12';
    expect(await descriptions({}, only)).toEqual(['pending']);
    expect(await descriptions({}, '?fromBookingDateTime=2026-06-15')).toEqual([]);
    expect(await descriptions({}, '?toBookingDateTime=2026-06-11')).toEqual(['equal-b', 'equal-a', 'booked-early']);
  });

  it('is cut to the consented period with both edges, for every filter', async () => {
    const period = (from?: string, to?: string): Partial<ConsentOptions> => ({
      data: {
        ...(from && { TransactionFromDateTime: `2026-06-${from}+00:00` }),
        ...(to && { TransactionToDateTime: `2026-06-${to}+00:00` }),
      },
    });
    expect(await descriptions(period('12T09:00:00', '13T00:00:00'))).toEqual(['day-only', 'pending']);
    expect(await descriptions(period('12T09:00:00.001', '12T23:59:59.999'))).toEqual([]);
    expect(await descriptions(period('13T00:00:00'))).toEqual(['booked-late', 'day-only']);
    expect(await descriptions(period(undefined, '10T09:00:00'))).toEqual(['booked-early']);
    const all = '?fromBookingDateTime=2026-06-01&toBookingDateTime=2026-06-30';
    expect(await descriptions(period('12T09:00:00', '13T00:00:00'), all)).toEqual(['day-only', 'pending']);
    const disjoint = '?fromBookingDateTime=2026-06-14';
    expect(await descriptions(period('12T09:00:00', '13T00:00:00'), disjoint)).toEqual([]);
  });

  it('shows no row outside the request even if the adapter returns one', async () => {
    const customer = await stack.consent({
      persona: 'complete',
      permissions: ['ReadAccountsBasic', 'ReadTransactionsDetail', 'ReadTransactionsDebits'],
      data: { TransactionFromDateTime: '2026-06-12T00:00:00+00:00' },
    });
    const careless = history.read.bind(history);
    history.read = () => ({
      items: [...history.rows, row('credit', at('13T10:00'), { amount: { minorUnits: 1n, currency: 'GBP' } })],
      more: false,
    });
    try {
      const rows = await transactions(stack, customer, 'CurrentAccount');
      expect(rows.map(({ TransactionInformation }) => TransactionInformation.split(' ')[0]).sort()).toEqual([
        'booked-late',
        'day-only',
        'pending',
      ]);
      const saved = await transactions(stack, customer, 'Savings');
      expect(saved.map(({ Status }) => Status)).toEqual(['Booked', 'Booked']);
    } finally {
      history.read = careless;
    }
  });

  it('keeps the id of a pending transaction when it is booked', async () => {
    const customer = await stack.consent({ persona: 'complete' });
    const shown = async (): Promise<Row> => saying(await transactions(stack, customer, 'CurrentAccount'), 'pending');
    const before = await shown();
    history.rows = history.rows.map((one) => (one.id === 'pending' ? row('pending', at('14T23:30')) : one));
    const after = await shown();
    expect([before.Status, after.Status]).toEqual(['Pending', 'Booked']);
    expect(after.TransactionId).toBe(before.TransactionId);
    expect(after.TransactionInformation).toBe('pending 2026-06-15');
  });

  it('shows a rate as a JSON number, and no exchange where the core knows no rate', async () => {
    history.rows = [
      row('rated', at('12T09:00'), { exchange: { sourceCurrency: 'USD', rate: '1.2500' } }),
      row('unrated', at('11T09:00'), { exchange: { sourceCurrency: 'USD' } }),
    ];
    const customer = await stack.consent({ persona: 'complete' });
    const path = `/accounts/${customer.accountId('CurrentAccount')}/transactions`;
    const { body } = await stack.ask(path, { token: customer.token });
    expect(body.match(/"CurrencyExchange":\{[^}]*\}/g)).toEqual([
      '"CurrencyExchange":{"SourceCurrency":"USD","ExchangeRate":1.2500}',
    ]);
  });
});
