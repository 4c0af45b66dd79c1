import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountReads, type CoreAdapter, type CoreContext } from '../../packages/core-adapter/core.adapter.js';
import type { CoreAccount, CoreBalance } from '../../packages/core-adapter/core.records.js';
import { profile as profile2 } from '../../src/profiles/profile-2.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { allPermissions, noon, Stack, type Answer, type ConsentedCustomer, type Json } from '../support/stack.js';
import { withReads } from '../support/wrapped-adapter.js';

/** A bank's own profile: no product of the published ones, and one of which TPPs get nothing. */
const profile = {
  name: 'a-lender',
  products: {
    Mortgage: { kind: 'mortgage', endpoints: ['accounts', 'balances', 'transactions'], postedOnly: true },
    'Business loan': {
      holder: 'business',
      kind: 'loan',
      bookedBalance: 'closing',
      credit: { kind: 'credit-line', limit: 'credit' },
      endpoints: ['accounts', 'balances', 'transactions'],
    },
    'Prepaid card': {
      kind: 'prepaid-card',
      identifiedBy: 'card',
      endpoints: ['accounts', 'balances', 'transactions', 'party'],
    },
    'Charge card': {
      kind: 'charge-card',
      identifiedBy: 'card',
      credit: { kind: 'credit-line' },
      endpoints: ['accounts', 'balances', 'transactions'],
    },
    'Staff loan': { kind: 'loan', endpoints: [] },
  },
  refusedPermissions: ['ReadPAN'],
  amounts: 'magnitude',
  pendingFields: 'empty',
};

/** The lender's product of each account of the ledger, by the ledger's product. */
const lent: Record<string, string> = {
  CurrentAccount: 'Mortgage',
  Savings: 'Business loan',
  CreditCard: 'Charge card',
  RewardsPayPlus: 'Prepaid card',
  RoundUp: 'Staff loan',
};

const at = new Date(noon);
const gbp = (minorUnits: bigint): CoreBalance['amount'] => ({ minorUnits, currency: 'GBP' });
const balances: Record<string, CoreBalance[]> = {
  Mortgage: [{ kind: 'booked', amount: gbp(-150_000_00n), at }],
  'Business loan': [
    { kind: 'booked', amount: gbp(-400_00n), at },
    { kind: 'available', amount: gbp(600_00n), at, creditLimit: gbp(1_000_00n) },
  ],
  'Prepaid card': [{ kind: 'available', amount: gbp(25_00n), at }],
  'Charge card': [
    { kind: 'booked', amount: gbp(-30_00n), at },
    { kind: 'available', amount: gbp(70_00n), at, creditLimit: gbp(100_00n) },
  ],
  'Staff loan': [{ kind: 'booked', amount: gbp(-1n), at }],
};

/** The ledger as the core of the lender. */
function lender(ledger: CoreAdapter): CoreAdapter {
  const own = (account: CoreAccount): CoreAccount => ({
    ...account,
    cardLastFour: '7897',
    product: lent[account.product] ?? account.product,
  });
  return withReads(ledger, {
    accounts: async (context) => {
      const { items, bad } = await ledger.accounts(context);
      return { items: items.map(own), bad };
    },
    account: async (ref, context) => own(await ledger.account(ref, context)),
    balances: async (ref, context) => {
      const account = own(await ledger.account(ref, context));
      return { account, items: balances[account.product] ?? [], bad: [] };
    },
    transactions: async (ref, query, context) => {
      const read = await (ledger as Required<CoreAdapter>).transactions(ref, query, context);
      return { ...read, account: own(read.account) };
    },
  });
}

function renaming(ledger: CoreAdapter, name: string, other: string): CoreAdapter {
  const renamed = (account: CoreAccount): CoreAccount =>
    account.product === name ? { ...account, product: other } : account;
  const reads = accountReads.filter((read) => read !== 'transactions');
  return withReads(ledger, {
    accounts: async (context) => {
      const { items, bad } = await ledger.accounts(context);
      return { items: items.map(renamed), bad };
    },
    account: async (ref, context) => renamed(await ledger.account(ref, context)),
    transactions: async (ref, query, context) => {
      const read = await (ledger as Required<CoreAdapter>).transactions(ref, query, context);
      return { ...read, account: renamed(read.account) };
    },
    ...Object.fromEntries(
      reads.map((read) => [
        read,
        async (ref: string, context: CoreContext) => {
          const found = await (ledger as Required<CoreAdapter>)[read](ref, context);
          return { ...found, account: renamed(found.account) };
        },
      ]),
    ),
  });
}

describe('a bank with products of its own choice', () => {
  let stack: Stack;
  let folder: string;
  let customer: ConsentedCustomer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lender-'));
    const file = join(folder, 'profile.json');
    await writeFile(file, JSON.stringify(profile));
    stack = await Stack.start({ profile: file, adapter: lender });
    customer = await stack.consent({ persona: 'complete', permissions: allPermissions('profile-1') });
  });
  afterAll(async () => {
    await stack.close();
    await rm(folder, { recursive: true });
  });

  const ask = (product: string, end = ''): Promise<Answer> =>
    stack.ask(`/accounts/${customer.accountId(product)}${end}`, { token: customer.token });
  const shown = async (product: string): Promise<Json[]> =>
    (await ask(product, '/balances')).json.Data.Balance.map(({ AccountId: _, DateTime: __, ...rest }: Json) => rest);
  const amount = (Amount: string): Json => ({ Amount, Currency: 'GBP' });

  it('shows its accounts with the types and identifications that the profile states', async () => {
    const { json } = await stack.ask('/accounts', { token: customer.token });
    const kinds = json.Data.Account.map(({ AccountType, AccountSubType, Account }: Json) => [
      AccountType,
      AccountSubType,
      Account[0].SchemeName,
    ]);
    expect(kinds).toEqual([
      ['Personal', 'Mortgage', 'UK.OBIE.SortCodeAccountNumber'],
      ['Business', 'Loan', 'UK.OBIE.SortCodeAccountNumber'],
      ['Personal', 'ChargeCard', 'UK.OBIE.PAN'],
      ['Personal', 'PrePaidCard', 'UK.OBIE.PAN'],
    ]);
  });

  it('shows the debt of a mortgage as a debit, without a credit line', async () => {
    expect(await shown('Mortgage')).toEqual([
      { CreditDebitIndicator: 'Debit', Type: 'InterimBooked', Amount: amount('150000.00') },
    ]);
  });

  it('shows the limit of a credit line under the type of its product, and the rest of it', async () => {
    expect(await shown('Business loan')).toEqual([
      { CreditDebitIndicator: 'Debit', Type: 'ClosingBooked', Amount: amount('400.00') },
      {
        CreditDebitIndicator: 'Credit',
        Type: 'InterimAvailable',
        Amount: amount('600.00'),
        CreditLine: [
          { Included: true, Type: 'Credit', Amount: amount('1000.00') },
          { Included: true, Type: 'Available', Amount: amount('600.00') },
        ],
      },
    ]);
  });

  it('shows the rest of the credit on a charge card, and not the limit where the profile states no type for it', async () => {
    const [, available] = await shown('Charge card');
    expect(available.CreditLine).toEqual([{ Included: true, Type: 'Available', Amount: amount('70.00') }]);
  });

  it('shows the money on a prepaid card, without a credit line', async () => {
    expect(await shown('Prepaid card')).toEqual([
      { CreditDebitIndicator: 'Credit', Type: 'InterimAvailable', Amount: amount('25.00') },
    ]);
  });

  it('shows pending transactions of a product, but not of one that shows posted transactions only', async () => {
    const statuses = async (product: string): Promise<Set<string>> => {
      const { json } = await ask(product, '/transactions');
      return new Set(json.Data.Transaction.map(({ Status }: Json) => Status));
    };
    expect(await statuses('Mortgage')).toEqual(new Set(['Booked']));
    expect(await statuses('Charge card')).toEqual(new Set(['Booked', 'Pending']));
  });

  it('publishes its products and serves no endpoint that none of them has', async () => {
    const facts = await stack.gateway.server.inject('/.well-known/account-information');
    expect(facts.json()).toMatchObject({ Products: { Mortgage: ['accounts', 'balances', 'transactions'] } });
    for (const absent of ['offers', 'statements', 'product', 'standing-orders'])
      expect((await ask('Mortgage', `/${absent}`)).status).toBe(404);
  });

  it('gives nothing of a product without endpoints', async () => {
    expect((await ask('Staff loan')).json.Data).toEqual({ Account: [] });
    expect((await ask('Staff loan', '/balances')).json.Data).toEqual({ Balance: [] });
    expect((await ask('Staff loan', '/transactions')).json.Data).toEqual({ Transaction: [] });
  });

  describe('whose core states a product that the profile does not have', () => {
    const otherwise = async (during: () => Promise<void>): Promise<void> => {
      lent['CurrentAccount'] = 'Student loan';
      await during();
      lent['CurrentAccount'] = 'Mortgage';
    };

    it('keeps the account back, counts it and logs why', () =>
      otherwise(async () => {
        const counted = async (): Promise<number> => {
          const { body } = await stack.gateway.bankServer.inject('/metrics');
          return Number(/^gateway_core_bad_records_total\{.*read="accounts".*\} (\d+)$/m.exec(body)?.[1] ?? 0);
        };
        const before = await counted();
        const { json } = await stack.ask('/accounts', { token: customer.token });
        const subTypes = json.Data.Account.map(({ AccountSubType }: Json) => AccountSubType);
        expect(subTypes).toEqual(['Loan', 'ChargeCard', 'PrePaidCard']);
        expect(stack.log.join('')).toContain('product: not in the profile');
        expect((await counted()) - before).toBe(1);
      }));

    it('answers 500 for the account itself, and shows nothing of it', () =>
      otherwise(async () => {
        for (const end of ['', '/balances', '/transactions', '/party']) {
          const { status, json } = await ask('Mortgage', end);
          expect([end, status, json.Data]).toEqual([end, 500, undefined]);
        }
      }));

    it('lets no customer share the account', () =>
      otherwise(async () => {
        const sharing = stack.consent({ persona: 'complete', permissions: allPermissions('profile-1') });
        await expect(sharing).rejects.toThrow('The core does not list this account for the customer.');
      }));
  });
});

describe('a product that the bank has given another name', () => {
  let database: FreshDatabase;
  let before: Stack;
  let after: Stack;
  let customer: ConsentedCustomer;
  beforeAll(async () => {
    database = await freshDatabase();
    before = await Stack.start({ database });
    customer = await before.consent({ persona: 'saver' });
    await before.gateway.close();
    const { Savings, ...others } = profile2.products;
    const endpoints = Savings?.endpoints.filter((endpoint) => endpoint !== 'party') ?? [];
    const { cores, issuers } = before.config;
    after = await Stack.start({
      database,
      config: { cores, issuers },
      profileSettings: { products: { ...others, 'Nest egg': { kind: 'savings', endpoints } } },
      adapter: (ledger) => renaming(ledger, 'Savings', 'Nest egg'),
    });
  });
  afterAll(async () => {
    await after?.close();
    await before?.bank.close();
    await database?.drop();
  });

  it('still opens to the consents that were given under its earlier name', async () => {
    const path = `/accounts/${customer.accountId('Savings')}`;
    const data = async (end: string): Promise<Json> => {
      const { status, json } = await after.ask(`${path}${end}`, { token: customer.token });
      expect([end, status]).toEqual([end, 200]);
      return json.Data;
    };
    expect((await data('')).Account).toHaveLength(1);
    expect((await data('/balances')).Balance.length).toBeGreaterThan(0);
    expect((await data('/transactions')).Transaction.length).toBeGreaterThan(0);
    // The product has no party under its new name, and a party is still that of the customer.
    expect((await data('/party')).Party).toEqual({ PartyId: expect.any(String) });
    expect((await data('/direct-debits')).DirectDebit).toEqual([]);
  });
});
