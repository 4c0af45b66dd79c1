import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { SystemClock } from '../../src/clock/clock.js';
import { createAdapter } from '../../src/core-banking/adapters/fineract/fineract.adapter.js';
import { type ConsentedCustomer, Stack } from '../support/stack.js';
import type { Persona } from '../../sandbox/bank/personas/persona.js';
import { makePersonas } from '../../sandbox/bank/personas/personas.js';
import { FineractStub } from '../cores/fineract/fineract-stub.js';
import { savings, smallBank, smallBankVariables, transaction } from '../cores/fineract/small-bank.js';

describe('the gateway, started on Fineract', () => {
  let stub: FineractStub;
  beforeAll(async () => {
    stub = await FineractStub.start({ model: smallBank(), clock: new SystemClock() });
  });
  afterAll(() => stub.close());

  const start = (profile: string, variables: Readonly<Record<string, string>> = {}): Promise<Stack> =>
    Stack.start({
      profile,
      cores: (first) => [
        { ...first, adapter: 'fineract', url: stub.url, variables: { ...smallBankVariables, ...variables } },
      ],
    });

  it.each([
    ['profile-1', 'statements (Fineract keeps no statements)'],
    ['profile-2', 'direct-debits (Fineract has no direct debits)'],
  ])('refuses %s, and says of each endpoint why', async (profile, last) => {
    await expect(start(profile)).rejects.toThrow(
      `PROFILE ${profile} promises offers (Fineract has no offers), scheduled-payments (Fineract has no payment that ` +
        `is made once on a later day, only standing instructions), ${last}, which the core "fineract" cannot serve: ` +
        'choose another profile or write one (docs/bank/product-profile.md), or give the adapter those reads',
    );
  });

  it('refuses profile-fineract while no data table holds the records that Fineract lacks', async () => {
    await expect(
      start('profile-fineract', { CORE_BENEFICIARIES_TABLE: '', CORE_IDENTIFIERS_TABLE: '' }),
    ).rejects.toThrow(
      /beneficiaries [(]Fineract does not keep beneficiaries.*standing-orders [(]the payee of a standing order/,
    );
  });

  it('refuses a setting of Fineract by its name', async () => {
    await expect(start('profile-fineract', { CORE_TENANT_TIME_ZONE: 'Asia/Kolkata' })).rejects.toThrow(
      /^settings of the core "fineract": CORE_TENANT_TIME_ZONE must be Europe\/London/,
    );
  });

  it('starts with profile-fineract', async () => {
    const stack = await start('profile-fineract');
    stack.secrets.add(smallBankVariables.CORE_PASSWORD);
    expect((await stack.ask('/accounts')).status).toBe(401);
    await stack.close();
  });
});

describe('with profile-fineract', () => {
  /** The small bank's client 7 with account 101. */
  const people = (nowMs: number): Persona[] =>
    makePersonas(nowMs)
      .filter(({ name }) => name === 'complete')
      .map(({ accounts: [account], person, ...rest }) => ({
        ...rest,
        person: { ...person, key: '7' },
        accounts: account === undefined ? [] : [{ ...account, acct: { ...account.acct, key: '101' } }],
      }));
  let stub: FineractStub;
  let stack: Stack;
  let customer: ConsentedCustomer;
  beforeAll(async () => {
    const model = smallBank();
    model.accounts.splice(0, 1, savings({ id: 101, clientId: 7, transactions: [transaction({ id: 1 })] }));
    stub = await FineractStub.start({ model, clock: { nowMs: () => stack.clock.nowMs() } });
    stack = await Stack.start({
      profile: 'profile-fineract',
      makePersonas: people,
      adapter: () => createAdapter({ url: stub.url, connections: 4, variables: smallBankVariables }, kitServices),
    });
    customer = await stack.consent({ persona: 'complete' });
  });
  afterAll(async () => {
    await stack.close();
    await stub.close();
  });

  it.each(['offers', 'scheduled-payments', 'statements', 'direct-debits'])(
    '%s answer 404, and never an empty list, which would mean that the customer has no such records',
    async (endpoint) => {
      const { status } = await stack.ask(`/accounts/${customer.accountId('CurrentAccount')}/${endpoint}`, {
        token: customer.token,
      });
      expect(status).toBe(404);
    },
  );

  it.each(['ReadOffers', 'ReadScheduledPaymentsBasic', 'ReadStatementsDetail', 'ReadDirectDebits', 'ReadPAN'])(
    'a consent cannot name %s',
    async (code) => {
      const { status } = await stack.ask('/account-access-consents', {
        method: 'POST',
        token: await stack.clientToken(),
        payload: { Data: { Permissions: ['ReadAccountsDetail', code] }, Risk: {} },
      });
      expect(status).toBe(400);
    },
  );

  it('no answer and no log line contains the core’s password, a staff name or the customer’s references', async () => {
    stack.log.length = 0;
    const answers: string[] = [];
    for (const { AccountId } of customer.accounts)
      for (const path of ['', '/balances', '/transactions', '/party', '/beneficiaries', '/standing-orders', '/product'])
        answers.push((await stack.ask(`/accounts/${AccountId}${path}`, { token: customer.token })).body);
    const all = [...answers, ...stack.log].join('\n');
    for (const word of [smallBankVariables.CORE_PASSWORD, 'teller7', '"7"', '"101"']) expect(all).not.toContain(word);
  });
});
