import { type Permission, permissionCodes } from '../../src/open-banking/permissions.js';

/** Data that a customer can let the TPP see, in the TPP's words, and the permission codes behind it. */
export interface Choice {
  readonly name: string;
  readonly words: string;
  readonly permissions: readonly Permission[];
}

/** Always asked for: without the accounts there is nothing to show. */
export const always: readonly Permission[] = ['ReadAccountsDetail', 'ReadBalances'];

const choices: readonly Choice[] = [
  {
    name: 'transactions',
    words: 'Transactions, in and out',
    permissions: ['ReadTransactionsDetail', 'ReadTransactionsCredits', 'ReadTransactionsDebits'],
  },
  {
    name: 'payments',
    words: 'Standing orders, direct debits, scheduled payments and payees',
    permissions: [
      'ReadStandingOrdersDetail',
      'ReadDirectDebits',
      'ReadScheduledPaymentsDetail',
      'ReadBeneficiariesDetail',
    ],
  },
  { name: 'statements', words: 'Statements', permissions: ['ReadStatementsDetail'] },
  { name: 'product', words: 'What kind of account it is, and offers', permissions: ['ReadProducts', 'ReadOffers'] },
  { name: 'you', words: 'Your name', permissions: ['ReadPartyPSU', 'ReadParty'] },
];

/** How far back transactions may be seen, by days; 0 for the whole history. */
export const histories: readonly (readonly [days: number, words: string])[] = [
  [0, 'All that there is'],
  [365, 'The last year'],
  [90, 'The last 90 days'],
];

/** For how many days; 0 until the customer withdraws it. */
export const durations: readonly (readonly [days: number, words: string])[] = [
  [90, '90 days'],
  [365, 'A year'],
  [0, 'Until I withdraw it'],
];

/** The kinds of data for which the bank's profile refuses no permission. */
export function choicesFor(refused: readonly Permission[]): readonly Choice[] {
  return choices.filter(({ permissions }) => !permissions.some((code) => refused.includes(code)));
}

/** The codes of the chosen ones, in the standard's order. */
export function permissionsOf(names: readonly string[], offered: readonly Choice[]): Permission[] {
  const asked = new Set([
    ...always,
    ...offered.filter(({ name }) => names.includes(name)).flatMap(({ permissions }) => permissions),
  ]);
  return permissionCodes.filter((code) => asked.has(code));
}
