import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { profile as profile1 } from '../../src/profiles/profile-1.js';
import { profile as profile2 } from '../../src/profiles/profile-2.js';
import { accountPaths } from '../support/account-paths.js';
import { helpUrl } from '../support/error-shape.js';
import { Stack, type Answer, type ConsentedCustomer } from '../support/stack.js';
import { withEndpoint } from '../support/with-endpoint.js';
import { watched, type AskedRead } from '../support/wrapped-adapter.js';

const invalidAccount = {
  Code: '400 Invalid Account',
  Id: expect.any(String),
  Message: expect.stringMatching(/^Invalid Account: /),
  Errors: [
    {
      ErrorCode: 'UK.OBIE.Resource.NotFound',
      Message: expect.stringMatching(/^Invalid Account: /),
      Path: 'AccountId',
      Url: helpUrl,
    },
  ],
};

describe('an account that the bank has taken out of online access', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  const unlisted = new Set<string>();
  const asked: AskedRead[] = [];
  const ask = (path: string): Promise<Answer> => stack.ask(path, { token: customer.token });
  const listed = async (): Promise<string[]> => {
    const { status, json } = await ask('/accounts');
    expect(status).toBe(200);
    return json.Data.Account.map(({ AccountId }: { AccountId: string }) => AccountId);
  };

  beforeAll(async () => {
    stack = await Stack.start({
      adapter: (ledger) => {
        const core = watched(ledger, (read) => {
          asked.push(read);
          if (read.accountRef !== undefined && unlisted.has(read.accountRef))
            throw new CoreError('account-not-found', 'the customer has no such account');
        });
        const { accounts } = core;
        return Object.assign(core, {
          accounts: async (context: Parameters<typeof accounts>[0]) => {
            const found = await accounts(context);
            return { ...found, items: found.items.filter(({ ref }) => !unlisted.has(ref)) };
          },
        });
      },
    });
    customer = await stack.consent({ persona: 'complete' });
  });
  afterAll(() => stack.close());

  it('is omitted from /accounts, while the customer’s others are there', async () => {
    const blocked = await stack.consent({ persona: 'blocked' });
    const { status, json } = await stack.ask('/accounts', { token: blocked.token });
    expect(status).toBe(200);
    expect(json.Data.Account.map(({ AccountId }: { AccountId: string }) => AccountId)).toEqual([
      blocked.accountId('Savings'),
    ]);
  });

  it('answers 400 Invalid Account on each of its paths, also on an endpoint that its product lacks', async () => {
    const blocked = await stack.consent({ persona: 'blocked' });
    for (const path of accountPaths(profile2, blocked.accountId('CurrentAccount'))) {
      const answer = await stack.ask(path, { token: blocked.token });
      expect([path, answer.status, answer.json]).toEqual([path, 400, invalidAccount]);
    }
  });

  it('is refused even where the requested dates cannot contain a transaction', async () => {
    const blocked = await stack.consent({ persona: 'blocked' });
    const path = `/accounts/${blocked.accountId('CurrentAccount')}/transactions?fromBookingDateTime=2999-01-01`;
    const answer = await stack.ask(path, { token: blocked.token });
    expect([answer.status, answer.json]).toEqual([400, invalidAccount]);
  });

  it('does not affect other selected accounts, such as those that are dormant at the core', async () => {
    const blocked = await stack.consent({ persona: 'blocked' });
    for (const path of accountPaths(profile2, blocked.accountId('Savings')))
      expect([path, (await stack.ask(path, { token: blocked.token })).status]).toEqual([path, 200]);
  });

  it('answers again with the next request after the core permits it, and stops with the next request after the core forbids it', async () => {
    const card = customer.accountId('CreditCard');
    const all = await listed();
    expect(all).toContain(card);

    stack.bank.setAccountState('A100103', 'not-permitted');
    expect((await ask(`/accounts/${card}/balances`)).status).toBe(400);
    expect(await listed()).toEqual(all.filter((accountId) => accountId !== card));

    stack.bank.setAccountState('A100103', 'valid');
    expect((await ask(`/accounts/${card}/balances`)).status).toBe(200);
    expect(await listed()).toEqual(all);
  });

  it('includes one that the core no longer lists for the customer; the others stay usable', async () => {
    const savings = customer.accountId('Savings');
    const all = await listed();
    unlisted.add('A100102');
    try {
      expect(await listed()).toEqual(all.filter((accountId) => accountId !== savings));
      for (const path of accountPaths(profile2, savings)) {
        const answer = await ask(path);
        expect([path, answer.status, answer.json]).toEqual([path, 400, invalidAccount]);
      }
      for (const path of accountPaths(profile2, customer.accountId('CurrentAccount')))
        expect([path, (await ask(path)).status]).toEqual([path, 200]);
    } finally {
      unlisted.clear();
    }
    expect((await ask(`/accounts/${savings}`)).status).toBe(200);
  });

  it('cannot be selected when the core does not list it for the customer', async () => {
    const created = await stack.ask('/account-access-consents', {
      method: 'POST',
      token: await stack.clientToken(),
      payload: { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} },
    });
    const authorise = (accounts: string[]): Promise<Answer> =>
      stack.report(`/consents/${created.json.Data.ConsentId}/authorise`, {
        customerRef: 'C1004',
        accounts,
        authenticatedAt: new Date(stack.clock.nowMs()).toISOString(),
      });
    const refused = await authorise(['A100401', 'A100101']);
    expect(refused.status).toBe(400);
    expect(refused.json.Errors).toEqual([
      {
        ErrorCode: 'field-invalid',
        Message: 'The core does not list this account for the customer.',
        Path: 'accounts[1]',
        Url: helpUrl,
      },
    ]);
    expect((await authorise(['A100401'])).status).toBe(200);
  });

  it('costs one read of the core, also where the product lacks the endpoint', async () => {
    const reads = async (path: string): Promise<string[]> => {
      asked.length = 0;
      await ask(path);
      return asked.map(({ read }) => read);
    };
    const current = customer.accountId('CurrentAccount');
    const card = customer.accountId('CreditCard');
    expect(await reads('/accounts')).toEqual(['accounts']);
    expect(await reads(`/accounts/${current}`)).toEqual(['account']);
    expect(await reads(`/accounts/${current}/balances`)).toEqual(['balances']);
    expect(await reads(`/accounts/${current}/transactions`)).toEqual(['transactions']);
    expect(await reads(`/accounts/${current}/party`)).toEqual(['party']);
    expect(await reads(`/accounts/${card}/beneficiaries`)).toEqual(['account']);
    expect(await reads(`/accounts/${card}/product`)).toEqual(['account']);
    expect(await reads(`/accounts/${current}/transactions?fromBookingDateTime=2999-01-01`)).toEqual(['account']);
  });
});

describe('a current account in profile 1', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  beforeAll(async () => {
    stack = await Stack.start({ profile: 'profile-1' });
    customer = await stack.consent({ persona: 'complete' });
  });
  afterAll(() => stack.close());

  const empty: Record<string, unknown> = {
    '': { Account: [] },
    '/balances': { Balance: [] },
    '/transactions': { Transaction: [] },
    '/offers': { Offer: [] },
    '/scheduled-payments': { ScheduledPayment: [] },
    '/beneficiaries': { Beneficiary: [] },
    '/statements': { Statement: [] },
  };

  it('can be selected, is not in /accounts, and has only a party', async () => {
    const current = customer.accountId('CurrentAccount');
    const { json } = await stack.ask('/accounts', { token: customer.token });
    const listed = json.Data.Account.map(({ AccountId }: { AccountId: string }) => AccountId);
    expect(listed).toEqual(
      ['Savings', 'CreditCard', 'RewardsPayPlus', 'RoundUp'].map((product) => customer.accountId(product)),
    );

    for (const path of accountPaths(profile1, current)) {
      const answer = await stack.ask(path, { token: customer.token });
      const end = path.slice(`/accounts/${current}`.length);
      const data = empty[end] ?? { Party: { PartyId: expect.stringMatching(/^[0-9a-f]{32}$/), Name: 'Amelia Hart' } };
      expect([path, answer.status, answer.json.Data]).toEqual([path, 200, data]);
    }
  });

  it('is checked by its state before its product', async () => {
    const blocked = await stack.consent({ persona: 'blocked' });
    for (const path of accountPaths(profile1, blocked.accountId('CurrentAccount')))
      expect([path, (await stack.ask(path, { token: blocked.token })).status]).toEqual([path, 400]);
  });

  it('gets 404 on the endpoints that the profile lacks, like any other account', async () => {
    for (const endpoint of ['direct-debits', 'standing-orders', 'product'])
      for (const product of ['CurrentAccount', 'CreditCard'])
        expect(
          (await stack.ask(`/accounts/${customer.accountId(product)}/${endpoint}`, { token: customer.token })).status,
        ).toBe(404);
  });
});

describe('the party of a product that the profile does not list for it', () => {
  let stack: Stack;
  const asked: string[] = [];
  beforeAll(async () => {
    stack = await Stack.start({
      adapter: (ledger) => watched(ledger, ({ read }) => asked.push(read)),
      profileSettings: withEndpoint(profile2, 'party', ['Savings']),
    });
  });
  afterAll(() => stack.close());

  it.each([
    ['has the name that the bank sent with the consent', 'Amelia H.', { Name: 'Amelia H.' }],
    ['has no name without one, although the core knows it', undefined, {}],
  ])('%s, and costs no read of a party', async (_, displayName, name) => {
    const customer = await stack.consent({ persona: 'complete', ...(displayName !== undefined && { displayName }) });
    const party = async (product: string): Promise<Answer> => {
      asked.length = 0;
      return stack.ask(`/accounts/${customer.accountId(product)}/party`, { token: customer.token });
    };
    const unlisted = await party('CurrentAccount');
    expect(unlisted.status).toBe(200);
    expect(asked).toEqual(['account']);
    const listed = await party('Savings');
    expect(asked).toEqual(['party']);
    const { PartyId } = listed.json.Data.Party;
    expect(listed.json.Data.Party).toEqual({ PartyId, Name: displayName ?? 'Amelia Hart' });
    expect(unlisted.json.Data).toEqual({ Party: { PartyId, ...name } });
  });
});
