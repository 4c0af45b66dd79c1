import { describe, expect, it } from '@jest/globals';
import { permissionClusters } from '../pages/permission-words.js';
import type { Deciding, ListedAccount } from '../sign-in/journey.js';
import { readChoice, whyWithheld, withAccounts } from './journey.policy.js';

const profile = {
  endpoints: {
    accounts: ['CurrentAccount', 'CreditCard'],
    balances: ['CurrentAccount', 'CreditCard', 'Savings'],
    offers: ['CreditCard'],
  },
} as const;
const accounts = (['CurrentAccount', 'Savings', 'CreditCard'] as const).map((product) => ({
  product,
  permitted: true,
}));

describe('the accounts that a customer may choose', () => {
  it.each([
    [['ReadAccountsBasic'], ['CurrentAccount', 'CreditCard']],
    [['ReadBalances'], ['CurrentAccount', 'Savings', 'CreditCard']],
    [['ReadOffers'], ['CreditCard']],
    [['ReadParty'], []],
    // Transactions need a level and a direction, and this profile lists none.
    [['ReadTransactionsBasic', 'ReadTransactionsDebits'], []],
  ] as const)('for %j are those with a listed endpoint among them: %j', (asked, products) => {
    const offered = accounts.filter((account) => whyWithheld(account, asked, profile) === undefined);
    expect(offered.map(({ product }) => product)).toEqual(products);
  });

  it('omit the others, each with its reason', () => {
    const why = (product: 'Savings' | 'RoundUp' | 'CreditCard', permitted = true) =>
      whyWithheld({ product, permitted }, ['ReadAccountsBasic'], profile);
    expect([why('CreditCard'), why('Savings'), why('RoundUp')]).toEqual([undefined, 'not-asked', 'not-served']);
    for (const product of ['CreditCard', 'Savings', 'RoundUp'] as const) expect(why(product, false)).toBe('restricted');
  });

  const listed: ListedAccount[] = ['a', 'b'].map((key) => ({ key, ref: `ref-${key}`, product: 'Savings' }));
  listed.push({ key: 'w', ref: 'ref-w', product: 'Savings', withheld: 'restricted' });

  it.each([
    [['a'], ['ref-a']],
    [
      ['b', 'a'],
      ['ref-b', 'ref-a'],
    ],
    [[], []],
    [['a', 'c'], undefined],
    [['ref-a'], undefined],
    [['a', 'w'], undefined],
  ])('chosen by %j are %j', (keys, refs) => {
    expect(readChoice(listed, keys)?.map(({ ref }) => ref)).toEqual(refs);
  });
});

describe('the list of a customer’s accounts', () => {
  const deciding: Deciding = {
    step: 'decide',
    deadlineMs: 0,
    customer: { customerRef: 'C1', displayName: 'A customer', authenticatedAtMs: 0 },
  };
  it('says that it is incomplete only where a core is unreachable', () => {
    const incomplete = (unreachable: readonly string[]) =>
      withAccounts(deciding, { items: [], unreachable }, ['ReadBalances'], profile).incomplete;
    expect([incomplete([]), incomplete(['cards'])]).toEqual([undefined, true]);
  });

  it('gives accounts with equal references at two cores different keys, which lead to their own cores', () => {
    const items = [undefined, 'cards'].map(
      (core) => ({ ref: 'A1', core, product: 'CreditCard', permitted: true }) as const,
    );
    const { accounts } = withAccounts(deciding, { items, unreachable: [] }, ['ReadBalances'], profile);
    expect(readChoice(accounts, [accounts[1]?.key ?? ''])).toEqual([{ core: 'cards', ref: 'A1' }]);
    expect(readChoice(accounts, [accounts[0]?.key ?? ''])).toEqual([{ core: undefined, ref: 'A1' }]);
  });
});

describe('the permission clusters', () => {
  it('group what is asked for, in one order, and let Detail stand for its Basic', () => {
    expect(
      permissionClusters([
        'ReadParty',
        'ReadAccountsDetail',
        'ReadAccountsBasic',
        'ReadBalances',
        'ReadStatementsBasic',
      ]),
    ).toEqual([
      { name: 'account-details', permissions: ['ReadAccountsDetail', 'ReadBalances'] },
      { name: 'statements', permissions: ['ReadStatementsBasic'] },
      { name: 'contact-details', permissions: ['ReadParty'] },
    ]);
  });
});
