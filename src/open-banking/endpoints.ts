import type { Permission } from './permissions.js';

/** The path prefix of section 2.1; the version segment is `v<major>.<minor>`. */
export const basePath = '/open-banking/v3.1/aisp';

/** The eleven endpoints of section 4, by the last word of their path. */
export const endpoints = [
  'accounts',
  'balances',
  'transactions',
  'party',
  'offers',
  'scheduled-payments',
  'beneficiaries',
  'statements',
  'direct-debits',
  'standing-orders',
  'product',
] as const;
export type Endpoint = (typeof endpoints)[number];

/**
 * What a consent must hold for an endpoint: at least one code of **each** group
 * (Account and Transaction API profile, "Permissions"). Where a group names Basic and Detail, Detail implies Basic.
 */
export type PermissionGroups = readonly (readonly Permission[])[];

export const endpointPermissions: Readonly<Record<Endpoint, PermissionGroups>> = {
  accounts: [['ReadAccountsBasic', 'ReadAccountsDetail']],
  balances: [['ReadBalances']],
  transactions: [
    ['ReadTransactionsBasic', 'ReadTransactionsDetail'],
    ['ReadTransactionsCredits', 'ReadTransactionsDebits'],
  ],
  party: [['ReadParty']],
  offers: [['ReadOffers']],
  'scheduled-payments': [['ReadScheduledPaymentsBasic', 'ReadScheduledPaymentsDetail']],
  beneficiaries: [['ReadBeneficiariesBasic', 'ReadBeneficiariesDetail']],
  statements: [['ReadStatementsBasic', 'ReadStatementsDetail']],
  'direct-debits': [['ReadDirectDebits']],
  'standing-orders': [['ReadStandingOrdersBasic', 'ReadStandingOrdersDetail']],
  product: [['ReadProducts']],
};

/** The groups of which the consent holds no code. */
export function missingPermissions(groups: PermissionGroups, held: ReadonlySet<Permission>): PermissionGroups {
  return groups.filter((group) => !group.some((code) => held.has(code)));
}
