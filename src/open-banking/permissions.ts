/** The 21 permission codes of the standard (Account and Transaction API profile, "Permissions"). */
export const permissionCodes = [
  'ReadAccountsBasic',
  'ReadAccountsDetail',
  'ReadBalances',
  'ReadBeneficiariesBasic',
  'ReadBeneficiariesDetail',
  'ReadDirectDebits',
  'ReadOffers',
  'ReadPAN',
  'ReadParty',
  'ReadPartyPSU',
  'ReadProducts',
  'ReadScheduledPaymentsBasic',
  'ReadScheduledPaymentsDetail',
  'ReadStandingOrdersBasic',
  'ReadStandingOrdersDetail',
  'ReadStatementsBasic',
  'ReadStatementsDetail',
  'ReadTransactionsBasic',
  'ReadTransactionsCredits',
  'ReadTransactionsDebits',
  'ReadTransactionsDetail',
] as const;

export type Permission = (typeof permissionCodes)[number];

const known: ReadonlySet<string> = new Set(permissionCodes);

export function isPermission(code: unknown): code is Permission {
  return typeof code === 'string' && known.has(code);
}
