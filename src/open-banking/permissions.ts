/**
 * The 21 permission codes of the standard (Account and Transaction API profile, "Permissions"), in the order in which
 * customers read them. For each: its data cluster (Customer Experience Guidelines, "Permissions & Data Clusters"), and
 * the words that tell the customer what the code lets the TPP see. Where a code has a Basic and a Detail form, the words
 * name the fields that only Detail releases (standard, "Detail Permissions"). The codes of transactions have no words of
 * their own: level and direction mean something only together.
 */
export const permissionTable = {
  ReadAccountsBasic: {
    cluster: 'account-details',
    words: 'The type, currency and description of each account, without its number',
  },
  ReadAccountsDetail: {
    cluster: 'account-details',
    words:
      'The type, currency and description of each account, with its sort code, account number and IBAN, or the last digits of a card',
  },
  ReadPAN: { cluster: 'account-details', words: 'Your full card number' },
  ReadBalances: { cluster: 'account-details', words: 'Your balances, with any arranged overdraft or credit limit' },
  ReadBeneficiariesBasic: {
    cluster: 'regular-payments',
    words: 'The references of your saved payees, without their names and account numbers',
  },
  ReadBeneficiariesDetail: {
    cluster: 'regular-payments',
    words: 'Your saved payees, with their names, account numbers and references',
  },
  ReadStandingOrdersBasic: {
    cluster: 'regular-payments',
    words: 'Your standing orders: amounts, dates and references, without who is paid',
  },
  ReadStandingOrdersDetail: {
    cluster: 'regular-payments',
    words: 'Your standing orders: amounts, dates, references, and the name and account of who is paid',
  },
  ReadDirectDebits: {
    cluster: 'regular-payments',
    words: 'Your Direct Debits: who collects them, and the last payment of each',
  },
  ReadScheduledPaymentsBasic: {
    cluster: 'regular-payments',
    words: 'Payments you have set up for a later date: amounts and dates, without who is paid',
  },
  ReadScheduledPaymentsDetail: {
    cluster: 'regular-payments',
    words: 'Payments you have set up for a later date: amounts, dates, and the name and account of who is paid',
  },
  ReadTransactionsBasic: { cluster: 'transactions' },
  ReadTransactionsDetail: { cluster: 'transactions' },
  ReadTransactionsCredits: { cluster: 'transactions' },
  ReadTransactionsDebits: { cluster: 'transactions' },
  ReadStatementsBasic: { cluster: 'statements', words: 'The dates and kinds of your statements, without amounts' },
  ReadStatementsDetail: {
    cluster: 'statements',
    words: 'Your statements, with the amounts in them, such as balances, fees and interest',
  },
  ReadProducts: { cluster: 'features-and-benefits', words: 'Your account’s fees, charges, interest and rewards' },
  ReadOffers: { cluster: 'features-and-benefits', words: 'Offers that we make you on your account' },
  ReadParty: {
    cluster: 'contact-details',
    words: 'The account holder’s full name, and the address, phone numbers and email address that we hold',
  },
  ReadPartyPSU: {
    cluster: 'contact-details',
    words: 'Your own full name, and the address, phone numbers and email address that we hold',
  },
} as const satisfies Readonly<Record<string, { readonly cluster: string; readonly words?: string }>>;

export type Permission = keyof typeof permissionTable;
export type PermissionClusterName = (typeof permissionTable)[Permission]['cluster'];

/** In alphabetical order, as the standard lists them. */
export const permissionCodes: readonly Permission[] = (Object.keys(permissionTable) as Permission[]).sort();

/** The codes of each cluster. Clusters and codes are in the order in which customers read them. */
export const codesByCluster: ReadonlyMap<PermissionClusterName, readonly Permission[]> = grouped();

function grouped(): Map<PermissionClusterName, Permission[]> {
  const groups = new Map<PermissionClusterName, Permission[]>();
  for (const [code, { cluster }] of Object.entries(permissionTable))
    groups.set(cluster, [...(groups.get(cluster) ?? []), code as Permission]);
  return groups;
}

const known: ReadonlySet<string> = new Set(permissionCodes);

export function isPermission(code: unknown): code is Permission {
  return typeof code === 'string' && known.has(code);
}

/**
 * The codes that a consent must hold for an endpoint: at least one of **each** group
 * (Account and Transaction API profile, "Permissions"). Where a group names Basic and Detail, Detail implies Basic.
 */
export type PermissionGroups = readonly (readonly Permission[])[];

/** Every consent must name one of these. */
export const accountPermissions = ['ReadAccountsBasic', 'ReadAccountsDetail'] as const;

/** A consent that names a level of transactions must name a direction, and the other way round. */
export const transactionLevels = ['ReadTransactionsBasic', 'ReadTransactionsDetail'] as const;
export const transactionDirections = ['ReadTransactionsCredits', 'ReadTransactionsDebits'] as const;

/** The groups of which the consent holds no code. */
export function missingPermissions(groups: PermissionGroups, held: ReadonlySet<Permission>): PermissionGroups {
  return groups.filter((group) => !group.some((code) => held.has(code)));
}

/** The code of the groups that releases the fields of Detail. */
export function detailOf(groups: PermissionGroups): Permission | undefined {
  return groups.flat().find((code) => code.endsWith('Detail'));
}
