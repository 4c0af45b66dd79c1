import { describe, expect, it } from '@jest/globals';
import { permissionClusters } from '../pages/customer-pages.js';
import { accountsToOffer, readChoice, type Offer } from './journey.policy.js';

const profile = {
  endpoints: {
    accounts: ['CurrentAccount', 'CreditCard'],
    balances: ['CurrentAccount', 'CreditCard', 'Savings'],
    offers: ['CreditCard'],
  },
} as const;
const accounts = (['CurrentAccount', 'Savings', 'CreditCard'] as const).map((product) => ({ product }));

describe('the accounts that a customer may choose', () => {
  it.each([
    [['ReadAccountsBasic'], ['CurrentAccount', 'CreditCard']],
    [['ReadBalances'], ['CurrentAccount', 'Savings', 'CreditCard']],
    [['ReadOffers'], ['CreditCard']],
    [['ReadParty'], []],
    // Transactions need a level and a direction, and this profile lists none.
    [['ReadTransactionsBasic', 'ReadTransactionsDebits'], []],
  ] as const)('for %j are those with a listed endpoint among them: %j', (asked, products) => {
    expect(accountsToOffer(accounts, asked, profile).map(({ product }) => product)).toEqual(products);
  });

  const offered: Offer[] = ['a', 'b'].map((key) => ({
    key,
    ref: `ref-${key}`,
    product: 'Savings',
    name: '',
    endsWith: '',
  }));

  it.each([
    [['a'], ['ref-a']],
    [
      ['b', 'a'],
      ['ref-b', 'ref-a'],
    ],
    [[], []],
    [['a', 'c'], undefined],
    [['ref-a'], undefined],
  ])('chosen by %j are %j', (keys, refs) => {
    expect(readChoice(offered, keys)).toEqual(refs);
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
