import { codesByCluster, type Permission } from '../../open-banking/permissions.js';
import type { PermissionCluster } from './customer-pages.js';

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
