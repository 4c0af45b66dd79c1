import type { PermissionCluster } from './customer-pages.js';
import {
  permissionTable,
  transactionDirections,
  transactionLevels,
  type Permission,
  type PermissionClusterName,
} from '../../open-banking/permissions.js';

/** The customer's name for each cluster: the words of the Customer Experience Guidelines, "Permissions & Data Clusters". */
const titles: Readonly<Record<PermissionClusterName, string>> = {
  'account-details': 'Your account details',
  'regular-payments': 'Your regular payments',
  transactions: 'Your account transactions',
  statements: 'Your statements',
  'features-and-benefits': 'Your account features and benefits',
  'contact-details': 'Your contact details',
};

const transactionPermissions = [...transactionLevels, ...transactionDirections] as const;
type TransactionPermission = (typeof transactionPermissions)[number];

export function clusterTitle(cluster: PermissionCluster): string {
  return titles[cluster.name];
}

/** One line for each thing that is asked for, in the order of the cluster. */
export function clusterLines({ permissions }: PermissionCluster): string[] {
  const others = permissions.filter((code) => !isTransactionPermission(code));
  return [...others.map((code) => permissionTable[code].words), ...transactionLines(permissions)];
}

/** Level (Basic or Detail) and direction (Credits, Debits) mean something only together. */
function transactionLines(permissions: readonly Permission[]): string[] {
  if (!permissions.some(isTransactionPermission)) return [];
  const [incoming, outgoing] = [
    permissions.includes('ReadTransactionsCredits'),
    permissions.includes('ReadTransactionsDebits'),
  ];
  const direction =
    incoming && outgoing
      ? 'Money paid into and out of your accounts'
      : incoming
        ? 'Money paid into your accounts, but not money paid out'
        : 'Money paid out of your accounts, but not money paid in';
  return [
    permissions.includes('ReadTransactionsDetail')
      ? `${direction}: dates, amounts, descriptions, who it came from or went to, and your balance after it`
      : `${direction}: dates and amounts, without descriptions or who it came from or went to`,
  ];
}

function isTransactionPermission(code: Permission): code is TransactionPermission {
  return (transactionPermissions as readonly Permission[]).includes(code);
}
