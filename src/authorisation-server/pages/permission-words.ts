import type { PermissionCluster } from './customer-pages.js';
import type { Html } from './html.js';
import type { Say } from './texts/language.js';
import {
  transactionDirections,
  transactionLevels,
  type Permission,
  codesByCluster,
} from '../../open-banking/permissions.js';

/** The clusters of the Customer Experience Guidelines ("AIS Core Journeys", data clusters) that are asked for. */
export function permissionClusters(asked: readonly Permission[]): PermissionCluster[] {
  const held = new Set(asked);
  return [...codesByCluster]
    .map(([name, codes]) => ({
      name,
      permissions: codes.filter(
        (code) =>
          held.has(code) && !(code.endsWith('Basic') && held.has(code.replace(/Basic$/, 'Detail') as Permission)),
      ),
    }))
    .filter(({ permissions }) => permissions.length > 0);
}

const transactionPermissions = [...transactionLevels, ...transactionDirections] as const;
type TransactionPermission = (typeof transactionPermissions)[number];

export function clusterTitle(say: Say, cluster: PermissionCluster): Html {
  return say(`cluster.${cluster.name}`);
}

/** One line for each thing that is asked for, in the order of the cluster. */
export function clusterLines(say: Say, { permissions }: PermissionCluster): Html[] {
  const others = permissions.filter((code) => !isTransactionPermission(code));
  return [...others.map((code) => say(`permission.${code}`)), ...transactionLines(say, permissions)];
}

/** Level (Basic or Detail) and direction (Credits, Debits) mean something only together. */
function transactionLines(say: Say, permissions: readonly Permission[]): Html[] {
  if (!permissions.some(isTransactionPermission)) return [];
  const [incoming, outgoing] = [
    permissions.includes('ReadTransactionsCredits'),
    permissions.includes('ReadTransactionsDebits'),
  ];
  const both = incoming && outgoing;
  const direction = say(both ? 'transactions.in-and-out' : incoming ? 'transactions.in' : 'transactions.out');
  const isDetail = permissions.includes('ReadTransactionsDetail');
  return [say(isDetail ? 'transactions.detail' : 'transactions.basic', { direction })];
}

function isTransactionPermission(code: Permission): code is TransactionPermission {
  return (transactionPermissions as readonly Permission[]).includes(code);
}
