/**
 * The 21 permission codes of the standard (Account and Transaction API profile, "Permissions"), in the order in which
 * customers read them. For each: its data cluster (Customer Experience Guidelines, "Permissions & Data Clusters").
 */
const permissionTable = {
  ReadAccountsBasic: { cluster: 'account-details' },
  ReadAccountsDetail: { cluster: 'account-details' },
  ReadPAN: { cluster: 'account-details' },
  ReadBalances: { cluster: 'account-details' },
  ReadBeneficiariesBasic: { cluster: 'regular-payments' },
  ReadBeneficiariesDetail: { cluster: 'regular-payments' },
  ReadStandingOrdersBasic: { cluster: 'regular-payments' },
  ReadStandingOrdersDetail: { cluster: 'regular-payments' },
  ReadDirectDebits: { cluster: 'regular-payments' },
  ReadScheduledPaymentsBasic: { cluster: 'regular-payments' },
  ReadScheduledPaymentsDetail: { cluster: 'regular-payments' },
  ReadTransactionsBasic: { cluster: 'transactions' },
  ReadTransactionsDetail: { cluster: 'transactions' },
  ReadTransactionsCredits: { cluster: 'transactions' },
  ReadTransactionsDebits: { cluster: 'transactions' },
  ReadStatementsBasic: { cluster: 'statements' },
  ReadStatementsDetail: { cluster: 'statements' },
  ReadProducts: { cluster: 'features-and-benefits' },
  ReadOffers: { cluster: 'features-and-benefits' },
  ReadParty: { cluster: 'contact-details' },
  ReadPartyPSU: { cluster: 'contact-details' },
} as const satisfies Readonly<Record<string, { readonly cluster: string }>>;

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

const supportedPermissions: ReadonlySet<string> = new Set(permissionCodes);

export function isPermission(code: unknown): code is Permission {
  return typeof code === 'string' && supportedPermissions.has(code);
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
