import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { kitServices } from '../../../../packages/adapter-kit/kit-services.js';
import { FineractStub } from '../../../../test/cores/fineract/fineract-stub.js';
import { savings, smallBank, smallBankVariables } from '../../../../test/cores/fineract/small-bank.js';
import { faultOf } from '../../../../test/support/core-fault.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import type { CoreContext } from '../../../../packages/core-adapter/core.adapter.js';
import { createAdapter, type FineractAdapter } from './fineract.adapter.js';

const now = Date.parse('2026-06-15T12:00:00Z');

describe('the Fineract adapter', () => {
  let stub: FineractStub;
  let core: FineractAdapter;

  function adapterFor(variables: Readonly<Record<string, string>> = {}): FineractAdapter {
    return createAdapter(
      { url: stub.url, connections: 4, variables: { ...smallBankVariables, ...variables } },
      kitServices,
    );
  }

  beforeAll(async () => {
    stub = await FineractStub.start({ model: smallBank(), clock: new FakeClock(now) });
    core = adapterFor();
  });
  afterEach(() => {
    delete stub.intercept;
    stub.calls.length = 0;
  });
  afterAll(async () => {
    await core.close();
    await stub.close();
  });

  function contextOf(customerRef: string, signal = new AbortController().signal): CoreContext {
    return { interactionId: '5a7f1c1e-0d1b-4c9e-9f60-3f3f6f1f7a11', customerRef, customerPresent: true, signal };
  }
  const person = contextOf('7');

  it('uses no more connections for a read than it declares', async () => {
    const many = smallBank();
    for (let id = 300; id < 310; id++) many.accounts.push(savings({ id, clientId: 7 }));
    const large = await FineractStub.start({ model: many, clock: new FakeClock(now) });
    const wide = createAdapter({ url: large.url, connections: 50, variables: smallBankVariables }, kitServices);
    let [calls, most] = [0, 0];
    large.intercept = async (_, response) => {
      most = Math.max(most, ++calls);
      response.once('close', () => calls--);
      // So that requests sent together are in flight together.
      await new Promise((resolve) => setTimeout(resolve, 10));
      return 'not handled' as const;
    };
    try {
      expect((await wide.accounts(person)).items).toHaveLength(12);
      for (const read of ['account', 'balances', 'party', 'product', 'beneficiaries', 'standingOrders'] as const)
        await wide[read]?.('101', person);
      expect(most).toBe(wide.connectionsPerRead);
    } finally {
      await wide.close();
      await large.close();
    }
  });

  describe('accounts', () => {
    it('are the client’s offered accounts, in the order of their ids', async () => {
      expect(await core.accounts(person)).toEqual({
        items: [
          {
            ref: '101',
            product: 'CurrentAccount',
            currency: 'GBP',
            description: 'Everyday Account',
            permitted: true,
            holder: 'personal',
            sortCode: '040004',
            accountNumber: '12345678',
          },
          {
            ref: '102',
            product: 'Savings',
            currency: 'GBP',
            description: 'Rainy Day',
            permitted: true,
            holder: 'personal',
          },
        ],
        bad: [],
      });
    });

    it('of an entity are business accounts', async () => {
      const { items } = await core.accounts(contextOf('8'));
      expect(items.map(({ ref, holder, iban }) => [ref, holder, iban])).toEqual([
        ['201', 'business', 'GB33BUKB20201555555555'],
      ]);
    });

    it('are the same alone as in the list', async () => {
      const { items } = await core.accounts(person);
      expect(await Promise.all(items.map(({ ref }) => core.account(ref, person)))).toEqual(items);
    });

    it('of an unknown client are an empty list, however the reference is written', async () => {
      for (const ref of ['9', '0', '-7', '7/accounts', '../7', 'x', '', '99999999999999999999'])
        expect(await core.accounts(contextOf(ref))).toEqual({ items: [], bad: [] });
      // The answer to one of the two may end the other before it has left.
      const asked = stub.calls.map(({ path }) => path);
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((path) => !['/v1/clients/9', '/v1/clients/9/accounts'].includes(path))).toEqual([]);
    });

    it('of a product that CORE_PRODUCTS does not name are bad records', async () => {
      const few = adapterFor({ CORE_PRODUCTS: '1=CurrentAccount,3=hidden' });
      expect(await few.accounts(person)).toEqual({
        items: [expect.objectContaining({ ref: '101' })],
        bad: [{ where: 'savingsAccounts[1]', fault: 'productId: not in CORE_PRODUCTS' }],
      });
      await few.close();
    });

    it.each([
      ['another client', '201', '7'],
      ['a client whom Fineract does not have', '101', '9'],
      ['no client', '999', '7'],
      ['the client, but hidden', '103', '7'],
      ['the client, but a fixed deposit', '104', '7'],
      ['no id', '101/../101', '7'],
    ])('of %s are not found', async (_, ref, customer) => {
      for (const read of [
        () => core.account(ref, contextOf(customer)),
        () => core.balances(ref, contextOf(customer)),
        () => core.transactions(ref, { read: 'older', limit: 1 }, contextOf(customer)),
        () => core.party(ref, contextOf(customer)),
        () => core.product(ref, contextOf(customer)),
      ])
        expect((await faultOf(read())).kind).toBe('account-not-found');
    });

    it.each([
      [100, 0, false],
      [200, 0, false],
      [300, 0, true],
      [303, 0, true],
      [304, 0, true],
      [400, 0, false],
      [500, 0, false],
      [600, 0, false],
      [300, 100, true],
      [300, 200, true],
      [300, 300, false],
      [300, 400, false],
      [300, 500, true],
      [300, 600, true],
    ])('with status %i and sub-status %i: permitted is %s', async (status, subStatus, permitted) => {
      const account = savings({ id: 301, clientId: 7, status, subStatus });
      stub.model.accounts.push(account);
      const seen = await core.account('301', person);
      stub.model.accounts.pop();
      expect(seen.permitted).toBe(permitted);
    });

    it.each([
      [900, 0, 'status.id'],
      [300, 700, 'subStatus.id'],
    ])('with status %i and sub-status %i, one of them unknown, are bad', async (status, subStatus, field) => {
      stub.model.accounts.push(savings({ id: 301, clientId: 7, status, subStatus }));
      const fault = await faultOf(core.account('301', person));
      stub.model.accounts.pop();
      expect(fault.kind).toBe('bad-record');
      expect(fault.detail).toContain(field);
    });

    it('that are dormant are refused if the bank’s setting says so', async () => {
      const strict = adapterFor({ CORE_DORMANT: 'refuse' });
      stub.model.accounts.push(savings({ id: 301, clientId: 7, subStatus: 200 }));
      expect((await strict.account('301', person)).permitted).toBe(false);
      stub.model.accounts.pop();
      await strict.close();
    });
  });

  describe('balances', () => {
    const at = new Date(now);

    it('are the booked amount and the amount available without overdraft, at the time of the answer', async () => {
      expect((await core.balances('101', person)).items).toEqual([
        { kind: 'booked', amount: { minorUnits: 123456n, currency: 'GBP' }, at },
        {
          kind: 'available',
          amount: { minorUnits: 123456n, currency: 'GBP' },
          at,
          creditLimit: { minorUnits: 50000n, currency: 'GBP' },
        },
      ]);
    });

    it('that Fineract omits are zero', async () => {
      const amounts = (await core.balances('102', person)).items.map(({ amount }) => amount.minorUnits);
      expect(amounts).toEqual([0n, 0n]);
    });

    it('available omit held amounts and the minimum that must stay in the account', async () => {
      expect((await core.balances('201', contextOf('8'))).items[1]?.amount.minorUnits).toBe(6975n);
      const kept = { enforceMinRequiredBalance: true, minRequiredBalance: '25.000000' };
      stub.model.accounts.push(savings({ id: 301, clientId: 7, ...kept }));
      expect((await core.balances('301', person)).items[1]?.amount.minorUnits).toBe(7500n);
      stub.model.accounts.pop();
    });

    it.each([
      ['-12.340000', 'GBP', -1234n],
      ['9999999999999.990000', 'GBP', 999999999999999n],
      ['1234567890123.456000', 'BHD', 1234567890123456n],
      ['1234567.000000', 'JPY', 1234567n],
    ])('of %s %s are %s minor units, without a digit lost', async (balance, currency, minorUnits) => {
      stub.model.accounts.push(savings({ id: 301, clientId: 7, balance, currency }));
      expect((await core.balances('301', person)).items[0]?.amount).toEqual({ minorUnits, currency });
      stub.model.accounts.pop();
    });

    it('finer than a minor unit are bad records: nothing is rounded', async () => {
      stub.model.accounts.push(savings({ id: 301, clientId: 7, balance: '1.001000' }));
      const { items, bad } = await core.balances('301', person);
      stub.model.accounts.pop();
      expect([items, bad]).toEqual([
        [],
        [{ where: 'savingsAccount[0]', fault: expect.stringContaining('finer than the minor unit') }],
      ]);
    });
  });

  describe('party and product', () => {
    it('are the client and the savings product', async () => {
      expect((await core.party('101', person)).items).toEqual([{ ref: '7', name: 'Zoë Ó Briain' }]);
      expect((await core.product('101', person)).items).toEqual([
        { code: 'EVRY', name: 'Everyday Account', type: 'personal-current-account' },
      ]);
      expect((await core.product('201', contextOf('8'))).items[0]?.type).toBe('business-current-account');
    });
  });

  describe('health', () => {
    it('is good while Fineract answers its user, and reads no customer', async () => {
      await core.health(AbortSignal.timeout(2000));
      expect(stub.calls.map(({ path }) => path)).toEqual(['/v1/savingsproducts']);
    });
  });
});
