import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BadRecord, CoreAdapter, CoreContext, CoreRead } from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreAccountIdentification } from '../../packages/core-adapter/core.parties.js';
import type { CoreTransaction } from '../../packages/core-adapter/core.records.js';
import { isLuhnValid } from '../../sandbox/bank/numbers.js';
import { profile as profile2 } from '../../src/profiles/profile-2.js';
import { profileOf } from '../../src/profiles/profile.js';
import { accountPaths } from '../support/account-paths.js';
import { allPermissions, Stack, type Answer, type ConsentedCustomer, type Json } from '../support/stack.js';
import { withEndpoint } from '../support/with-endpoint.js';
import { withReads } from '../support/wrapped-adapter.js';

/**
 * Luhn-valid numbers of each length, in the forms in which people and machines write them. None may leave the gateway, nor
 * any of their digit runs.
 */
const leaked = [
  '4929421234567897',
  '4929 4212 3456 7897',
  '4929-4212-3456-7897',
  '374496353984311',
  '3744 963539 84311',
  '4222222222222',
  '36148900647913',
  '6304000000000000018',
];
const secret = leaked.map((number) => number.replace(/\D/g, ''));
const leak = `PAID ${leaked.join(' / TO ')} END`;
/** A reference or identification in its own field stays unchanged, even where it could be a card's number. */
const own = '5424181234123417';
const ownAccount = '30000000000004';

const creditor: CoreAccountIdentification = { scheme: 'sort-code', identification: ownAccount, name: leak };
const money = { minorUnits: 1_00n, currency: 'GBP' };
const at = new Date('2026-06-10T10:00:00Z');
const bad: BadRecord[] = [{ where: `rows[${leaked[0]}]`, fault: leak }];
const transaction = (id: string, over: Partial<CoreTransaction> = {}): CoreTransaction => ({
  id: `${leaked[0]}-${id}`,
  status: 'booked',
  at,
  amount: money,
  description: leak,
  ...over,
});

/** A core that leaks card numbers in every text that it sends, including those of its faults. */
function leakyCore(ledger: CoreAdapter, fault: { current?: unknown }): CoreAdapter {
  const answer = async <T>(ref: string, context: CoreContext, ...items: T[]): Promise<CoreRead<T>> => {
    if (fault.current !== undefined) throw fault.current as Error;
    return { account: { ...(await ledger.account(ref, context)), description: leak }, items, bad };
  };
  return withReads(ledger, {
    accounts: async (context) => {
      if (fault.current !== undefined) throw fault.current as Error;
      const { items } = await ledger.accounts(context);
      const [first, ...rest] = items.map((account) => ({ ...account, description: leak }));
      return {
        items:
          first === undefined
            ? []
            : [first, { ...first, cardLastFour: leaked[0], currency: leaked[0] as string }, ...rest],
        bad,
      };
    },
    account: async (ref, context) => (await answer(ref, context)).account,
    balances: (ref, context) =>
      answer(
        ref,
        context,
        { kind: 'booked', amount: money, at },
        { kind: 'available', amount: { ...money, currency: leak }, at },
      ),
    transactions: async (ref, _query, context) => ({
      ...(await answer(
        ref,
        context,
        transaction('a', { exchange: { sourceCurrency: 'USD', rate: '1.25' } }),
        transaction('b', { exchange: { sourceCurrency: leaked[0] as string, rate: '1.25' } }),
        transaction('c', { exchange: { sourceCurrency: 'USD', rate: leaked[0] as string } }),
        transaction('d', {
          status: 'pending',
          exchange: { sourceCurrency: leaked[0] as string, rate: leaked[0] as string },
        }),
        transaction('e', { description: `${'x'.repeat(480)} ${leaked[0]}` }),
      )),
      more: true,
    }),
    party: (ref, context) => answer(ref, context, { ref: leaked[0] as string, name: leak }),
    offers: (ref, context) =>
      answer(
        ref,
        context,
        { feePercentage: '2.99' },
        { feePercentage: leaked[0] },
        { maxTransferPercentage: leaked[0] },
        { annualRatePercentage: leak },
        { endMonth: leak },
        { takeUpEndDate: { date: leak } },
      ),
    scheduledPayments: (ref, context) =>
      answer(ref, context, { id: leak, dueAt: at, type: 'execution', reference: own, amount: money, creditor }),
    beneficiaries: (ref, context) => answer(ref, context, { id: leak, kind: 'third-party', creditor }),
    statements: (ref, context) =>
      answer(ref, context, { startAt: at, endAt: at, createdAt: at, type: 'regular', closingBalance: money }),
    directDebits: (ref, context) => answer(ref, context, { id: leak, mandate: own, status: 'active', name: leak }),
    standingOrders: (ref, context) =>
      answer(ref, context, { id: leak, frequency: { every: 'other' }, reference: own, status: 'active', creditor }),
    product: (ref, context) => answer(ref, context, { code: own, name: leak, type: 'other' }),
  });
}

describe('a core that leaks card numbers', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  const fault: { current?: unknown } = {};
  const products = withEndpoint(profile2, 'statements', ['CreditCard']);

  beforeAll(async () => {
    stack = await Stack.start({
      rules: { pageSize: 3 },
      profileSettings: { ...products, refusedPermissions: ['ReadPAN'] },
      adapter: (ledger) => leakyCore(ledger, fault),
    });
    const permissions = allPermissions('profile-1');
    customer = await stack.consent({ persona: 'complete', permissions, displayName: leak });
  });
  afterAll(() => stack.close());

  /** Digits alone, so that no form of a number hides it. */
  const numbersIn = (text: string): string[] => {
    const digits = text.replace(/[\s/._-]|\\u00a0/g, '');
    return secret.filter((number) => digits.includes(number));
  };
  const expectNoneIn = (what: string, answer: Answer): void => {
    expect([what, numbersIn(answer.body), numbersIn(JSON.stringify(answer.headers))]).toEqual([what, [], []]);
  };
  const everyPath = (): string[] => [
    '/accounts',
    ...customer.accounts.flatMap(({ AccountId }) => accountPaths(profileOf({ ...profile2, ...products }), AccountId)),
  ];

  const failWithEachError = async (): Promise<void> => {
    const faults = [
      new CoreError('bad-record', leak),
      new CoreError('account-not-permitted', leak),
      new CoreError('rate-limited', leak, 3),
      new TypeError(`${leak}\n    at ${leak}`),
      Object.assign(new Error(leak), { name: leak, cause: new Error(leak), statusCode: 500, code: leak }),
      leak,
    ];
    for (const current of faults) {
      fault.current = current;
      for (const path of everyPath()) {
        const answer = await stack.ask(path, { token: customer.token });
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expectNoneIn(path, answer);
      }
    }
    delete fault.current;
  };

  it('would be noticed by this test', () => {
    expect(secret.filter((number) => !isLuhnValid(number))).toEqual([]);
    expect(numbersIn(leak)).toEqual(secret);
    expect(numbersIn(JSON.stringify({ detail: leak }))).toEqual(secret);
  });

  it('discloses none of them in a body or header, and loses the fields and records that they make invalid', async () => {
    const shown: Record<string, number> = {};
    for (const path of everyPath()) {
      const answer = await stack.ask(path, { token: customer.token });
      expect([path, answer.status]).toEqual([path, 200]);
      expectNoneIn(path, answer);
      for (const [name, items] of Object.entries<Json>(answer.json.Data))
        shown[name] = Math.max(shown[name] ?? 0, items.length ?? 1);
    }
    expect(shown).toEqual({
      Account: 5,
      Balance: 1,
      // Those without the odd exchange are served.
      Transaction: 5,
      Party: 1,
      Offer: 1,
      ScheduledPayment: 1,
      Beneficiary: 1,
      Statement: 1,
      DirectDebit: 1,
      StandingOrder: 1,
      Product: 1,
    });
  });

  it('has the last four digits of each shown in its texts', async () => {
    const current = customer.accountId('CurrentAccount');
    const of = async (endpoint: string): Promise<Json> =>
      (await stack.ask(`/accounts/${current}/${endpoint}`, { token: customer.token })).json.Data;
    const masked = (last: string): string => `xxxxxxxxxxxx${last}`;
    const text =
      'PAID ' + ['7897', '7897', '7897', '4311', '4311', '2222', '7913', '0018'].map(masked).join(' / TO ') + ' END';
    expect((await of('party')).Party.Name).toBe(text);
    expect((await of('product')).Product[0].ProductName).toBe(text);
    expect((await of('transactions')).Transaction[0].TransactionInformation).toBe(`${text} 2026-06-10`);
    expect((await of('beneficiaries')).Beneficiary[0].CreditorAccount.Name).toBe(text);
    expect((await of('direct-debits')).DirectDebit[0].Name).toBe(text.slice(0, 70).trimEnd());
  });

  it('keeps its identifications and references that are separate fields', async () => {
    const current = customer.accountId('CurrentAccount');
    const first = async (endpoint: string, collection: string): Promise<Json> =>
      (await stack.ask(`/accounts/${current}/${endpoint}`, { token: customer.token })).json.Data[collection][0];
    expect(await first('scheduled-payments', 'ScheduledPayment')).toMatchObject({
      Reference: own,
      CreditorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: ownAccount },
    });
    expect((await first('standing-orders', 'StandingOrder')).Reference).toBe(own);
    expect((await first('direct-debits', 'DirectDebit')).MandateIdentification).toBe(own);
    expect((await first('product', 'Product')).ProductId).toBe(own);
  });

  it('discloses none when it fails, whatever its error contains', failWithEachError);

  it('discloses none to the bank, in metrics, or in the log', async () => {
    for (const path of everyPath()) await stack.ask(path, { token: customer.token });
    await failWithEachError();
    expectNoneIn('the consent as the bank sees it', await stack.report(`/consents/${customer.consentId}`));
    expect(numbersIn((await stack.gateway.bankServer.inject('/metrics')).body)).toEqual([]);
    expect(stack.log.length).toBeGreaterThan(100);
    expect(
      stack.log.filter((line) => line.includes('records of the core that cannot be read are not in the answer')).length,
    ).toBeGreaterThan(0);
    expect(stack.log.filter((line) => line.includes('failed a request')).length).toBeGreaterThan(0);
    expect(stack.log.filter((line) => numbersIn(line).length > 0).slice(0, 3)).toEqual([]);
  });
});

describe('the card of an account', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.close());

  it('is shown by its last four digits, and only for a credit card', async () => {
    const customer = await stack.consent({ persona: 'complete' });
    const { json } = await stack.ask('/accounts', { token: customer.token });
    const pans = json.Data.Account.flatMap(({ AccountSubType, Account }: Json) =>
      Account.filter(({ SchemeName }: Json) => SchemeName === 'UK.OBIE.PAN').map(({ Identification }: Json) => [
        AccountSubType,
        Identification,
      ]),
    );
    expect(pans).toEqual([['CreditCard', 'xxxxxxxxxxxx7897']]);
  });

  it('is masked in the texts of the sandbox’s core', async () => {
    const traveller = await stack.consent({ persona: 'traveller' });
    const path = `/accounts/${traveller.accountId('A101401')}`;
    const account = await stack.ask(path, { token: traveller.token });
    expect(account.json.Data.Account[0].Description).toBe('Travel xxxxxxxxxxxx3417');
    const { body } = await stack.ask(`${path}/transactions`, { token: traveller.token });
    expect(body).toContain('PAYMENT TO CARD xxxxxxxxxxxx3417 2026');
    expect(body).toContain('ORDER 1234567890123456 IS NO CARD');
    expect(body).toContain('REF xxxxxxxxxxxx');
  });
});
