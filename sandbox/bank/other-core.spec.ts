import { describe, expect, it } from '@jest/globals';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreAdapter, CoreContext, CoreItems } from '../../packages/core-adapter/core.adapter.js';
import type { CoreAccount } from '../../packages/core-adapter/core.records.js';
import { BootError } from '../../src/config/boot-error.js';
import { OtherCores, openConfiguredCores } from './other-core.js';
import { SystemClock } from '../../src/clock/clock.js';

const account = (ref: string, permitted = true): CoreAccount => ({
  ref,
  product: 'Savings',
  currency: 'GBP',
  permitted,
  holder: 'personal',
});

const customer = (key: string) => ({ person: { key, name: key } });

function coreThat(accounts: (context: CoreContext) => Promise<CoreItems<CoreAccount>>) {
  const adapter = { name: 'mine', accounts, close: async () => void closed++ } as Partial<CoreAdapter> as CoreAdapter;
  let closed = 0;
  let opened = 0;
  const core = new OtherCores(async () => {
    opened++;
    return [{ adapter, deadlineMs: 50 }];
  });
  return { core, counts: () => ({ opened, closed }) };
}

describe('another core than the sandbox’s', () => {
  it('lists the accounts of a customer, with those that no TPP may read', async () => {
    const asked: string[] = [];
    const { core } = coreThat(async ({ customerRef }) => {
      asked.push(customerRef);
      return { items: [{ ...account('1'), iban: 'GB33BUKB20201555555555' }, account('2', false)], bad: [] };
    });
    expect(await core.accountsOf(customer('7'))).toEqual({
      accounts: [
        {
          ref: '1',
          product: 'Savings',
          debtor: { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB33BUKB20201555555555', Currency: 'GBP' },
        },
        { ref: '2', product: 'Savings', state: 'not-permitted' },
      ],
    });
    expect(asked).toEqual(['7']);
  });

  it('is opened at the first list, once, and closed at the end', async () => {
    const { core, counts } = coreThat(async () => ({ items: [account('1')], bad: [] }));
    expect(counts()).toEqual({ opened: 0, closed: 0 });
    await Promise.all([core.accountsOf(customer('7')), core.accountsOf(customer('8'))]);
    await core.close();
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  });

  it.each<[string, () => Promise<CoreItems<CoreAccount>>, string]>([
    ['knows no account', async () => ({ items: [], bad: [] }), 'the core "mine" lists no accounts of customer 7'],
    [
      'sends unreadable records alone',
      async () => ({ items: [], bad: [{ where: 'accounts[0]', fault: 'product is not a known word' }] }),
      'no account of customer 7 can be read: accounts[0]: product is not a known word',
    ],
    [
      'does not answer',
      () => Promise.reject(new CoreError('unavailable', 'mine is unreachable (ECONNREFUSED)')),
      'the accounts of customer 7 cannot be listed: mine is unreachable (ECONNREFUSED)',
    ],
    [
      'has an adapter with a fault, whose words may be the core’s',
      () => Promise.reject(new TypeError('Amelia Hart')),
      'the accounts of customer 7 cannot be listed: the adapter threw TypeError where only CoreError may be thrown',
    ],
  ])('says in one line why there are no accounts when it %s', async (_, accounts, fault) => {
    expect(await coreThat(accounts).core.accountsOf(customer('7'))).toEqual({ accounts: [], fault });
  });

  it('ends the list at the core’s deadline', async () => {
    const { core } = coreThat(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new CoreError('timeout', 'mine did not answer in time')));
        }),
    );
    expect((await core.accountsOf(customer('7'))).fault).toMatch(/mine did not answer in time$/);
  });

  it('is opened again after a fault', async () => {
    let tries = 0;
    const adapter = { name: 'mine', accounts: async () => ({ items: [account('1')], bad: [] }) };
    const core = new OtherCores(async () => {
      if (++tries === 1) throw new BootError('CORE "mine" cannot be loaded');
      return [{ adapter: adapter as Partial<CoreAdapter> as CoreAdapter, deadlineMs: 50 }];
    });
    expect((await core.accountsOf(customer('7'))).fault).toMatch(/: CORE "mine" cannot be loaded$/);
    expect((await core.accountsOf(customer('7'))).accounts).toHaveLength(1);
  });

  it('with another core lists the accounts of both, each under the customer’s reference there', async () => {
    const at = (name: string) => {
      const accounts = async ({ customerRef }: CoreContext) => ({
        items: [account(`${name}-${customerRef}`)],
        bad: [],
      });
      return { name, adapter: { name, accounts } as Partial<CoreAdapter> as CoreAdapter, deadlineMs: 50 };
    };
    const cores = new OtherCores(async () => [at('ledger'), at('cards')]);
    expect(await cores.accountsOf({ ...customer('7'), refs: { cards: 'K' } })).toEqual({
      accounts: [
        { core: 'ledger', ref: 'ledger-7', product: 'Savings' },
        { core: 'cards', ref: 'cards-K', product: 'Savings' },
      ],
    });
  });

  describe('or several cores', () => {
    const several = (lists: Readonly<Record<string, () => Promise<CoreItems<CoreAccount>>>>) =>
      new OtherCores(async () =>
        Object.entries(lists).map(([name, accounts]) => {
          const adapter = { name: 'mine', accounts } as Partial<CoreAdapter> as CoreAdapter;
          return { name, adapter, deadlineMs: 50 };
        }),
      );
    const away = () => Promise.reject(new CoreError('unavailable', 'mine is unreachable (ECONNREFUSED)'));

    it('list the accounts of each core, with its name', async () => {
      const listing = async () => ({ items: [account('1')], bad: [] });
      expect(await several({ ledger: listing, cards: listing }).accountsOf(customer('7'))).toEqual({
        accounts: [
          { core: 'ledger', ref: '1', product: 'Savings' },
          { core: 'cards', ref: '1', product: 'Savings' },
        ],
      });
    });

    it('list the accounts of the others where one does not answer, or does not know the customer', async () => {
      const lists = {
        ledger: away,
        loans: async () => ({ items: [], bad: [] }),
        cards: async () => ({ items: [account('9')], bad: [] }),
      };
      expect(await several(lists).accountsOf(customer('7'))).toEqual({
        accounts: [{ core: 'cards', ref: '9', product: 'Savings' }],
      });
    });

    it('say of each why it lists no account', async () => {
      expect(
        await several({ ledger: async () => ({ items: [], bad: [] }), cards: away }).accountsOf(customer('7')),
      ).toEqual({
        accounts: [],
        fault:
          'the core "ledger" lists no accounts of customer 7; ' +
          'the accounts of customer 7 cannot be listed: mine is unreachable (ECONNREFUSED)',
      });
    });
  });

  it('is refused by the settings of the gateway', async () => {
    await expect(openConfiguredCores({}, new SystemClock())).rejects.toThrow(BootError);
  });
});
