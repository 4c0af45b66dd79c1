import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CoreAccount, CoreBeneficiary, CoreTransaction } from '../../packages/core-adapter/core.records.js';
import { Stack, type Answer, type ConsentedCustomer } from '../support/stack.js';
import { withReads } from '../support/wrapped-adapter.js';

describe('a record with one field that cannot be read', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  /** The test core says these of each account. */
  let numbers: Partial<CoreAccount> = {};
  let transactions: readonly CoreTransaction[] = [];
  let creditors: readonly CoreBeneficiary['creditor'][] = [];
  beforeAll(async () => {
    stack = await Stack.start({
      adapter: (ledger) =>
        withReads(ledger, {
          accounts: async (context) => {
            const { items, bad } = await ledger.accounts(context);
            return { items: items.map((one) => ({ ...one, ...numbers })), bad };
          },
          transactions: async (ref, _, context) => {
            return { account: await ledger.account(ref, context), items: transactions, bad: [], more: false };
          },
          beneficiaries: async (ref, context) => ({
            account: await ledger.account(ref, context),
            items: creditors.map((creditor, index) => ({ id: `B${index}`, kind: 'third-party', creditor })),
            bad: [],
          }),
        }),
    });
    customer = await stack.consent({ persona: 'complete' });
  });
  afterAll(() => stack.close());

  const ask = (path: string): Promise<Answer> => stack.ask(path, { token: customer.token });
  const ofAccount = (read: string): Promise<Answer> => ask(`/accounts/${customer.accountId('CurrentAccount')}/${read}`);
  const counted = async (labels: string): Promise<number> => {
    const { body } = await stack.gateway.bankServer.inject('/metrics');
    const line = body.split('\n').find((one) => one.startsWith(`gateway_core_bad_records_total{${labels}} `));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  const booked: CoreTransaction = {
    id: 'T1',
    status: 'booked',
    at: new Date('2026-06-14T12:00:00Z'),
    amount: { minorUnits: -100n, currency: 'GBP' },
  };

  it('is served without it where the standard lets it be absent; the field is counted and logged, its value nowhere', async () => {
    transactions = [
      { ...booked, exchange: { sourceCurrency: 'DEM', rate: '1.95583' } },
      { ...booked, id: 'T2', exchange: { sourceCurrency: 'USD', rate: '31234.5678901234567' } },
      { ...booked, id: 'T3', valueAt: { date: 'infinity' } },
      { ...booked, id: 'T4', runningBalance: { minorUnits: 12_345_678_901_234_56n, currency: 'GBP' } },
    ];
    const ofField = (field: string): string => `core="ledger",read="transactions",field="${field}"`;
    const counters = [
      ofField('exchange'),
      ofField('valueAt'),
      ofField('runningBalance'),
      'core="ledger",read="transactions"',
    ];
    const before = await Promise.all(counters.map(counted));
    stack.log.length = 0;
    const { status, json } = await ofAccount('transactions');
    expect([status, json.Data.Transaction.length]).toEqual([200, 4]);
    for (const row of json.Data.Transaction)
      expect(Object.keys(row)).toEqual(expect.not.arrayContaining(['CurrencyExchange', 'ValueDateTime', 'Balance']));
    const after = await Promise.all(counters.map(counted));
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([2, 1, 1, 0]);
    const log = stack.log.filter((line) =>
      line.includes('fields of the core’s records that cannot be read are not in the answer'),
    );
    expect(JSON.parse(log[0] ?? '')).toMatchObject({
      read: 'transactions',
      count: 4,
      bad: expect.arrayContaining([
        { where: 'transactions[2]', field: 'valueAt', fault: 'a value that the standard cannot express' },
      ]),
    });
    expect(log.join('')).not.toMatch(/DEM|1\.95583|31234|infinity|12345678901234/);
  });

  it('has every digit of an exchange rate', async () => {
    transactions = ['123456789.123456789', '0.0000001', '1.2500'].map((rate, index) => ({
      ...booked,
      id: `T${index}`,
      exchange: { sourceCurrency: 'USD', rate },
    }));
    const { body } = await ofAccount('transactions');
    expect(body.match(/"ExchangeRate":[^}]*/g)).toEqual([
      '"ExchangeRate":123456789.123456789',
      '"ExchangeRate":0.0000001',
      '"ExchangeRate":1.2500',
    ]);
  });

  it('of an account is listed, with its other numbers, in order', async () => {
    numbers = { sortCode: '40004', iban: 'gb33 bukb 2020 1555 5555 55' };
    const { json } = await ask('/accounts');
    numbers = {};
    expect(json.Data.Account).toHaveLength(customer.accounts.length);
    expect(json.Data.Account[0].Account).toEqual([
      { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB33BUKB20201555555555' },
    ]);
    expect(await counted('core="ledger",read="accounts",field="sortCode"')).toBeGreaterThan(0);
  });

  it('is a bad record where it is the number of a payee, which the standard wants', async () => {
    creditors = [
      { scheme: 'sort-code', identification: '4000400123456' },
      { scheme: 'iban', identification: 'GB34BUKB20201555555555' },
      { scheme: 'iban', identification: '' },
      { scheme: 'sort-code', identification: '04-00-04 00123456' },
      { scheme: 'card', identification: '4929421234567897' },
    ];
    const { body, json } = await ofAccount('beneficiaries');
    expect(json.Data.Beneficiary.map(({ CreditorAccount }: { CreditorAccount: object }) => CreditorAccount)).toEqual([
      { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '04000400123456' },
      { SchemeName: 'UK.OBIE.PAN', Identification: 'xxxxxxxxxxxx7897' },
    ]);
    expect(body).not.toContain('492942');
    expect(await counted('core="ledger",read="beneficiaries"')).toBe(3);
    expect(stack.log.join('')).toContain('creditor.identification: not a number of its scheme');
  });

  it('is a bad record, and no fault of the gateway, where the core omitted an object that every record has', async () => {
    const { amount: _, ...without } = booked;
    transactions = [without as CoreTransaction, { ...booked, id: 'T2' }];
    const { status, json } = await ofAccount('transactions');
    expect([status, json.Data.Transaction.length]).toEqual([200, 1]);
    expect(stack.log.join('')).toContain('amount: missing');
  });
});
