import { CoreSettingFault } from '../../../../packages/core-adapter/core-settings.js';
import type { Dialect } from './dialect.js';
import { loadDriver } from './driver.js';

/** By the scheme of CORE_URL. Only the named one is loaded, and its driver where a bank has to install that. */
const dialects: Readonly<Record<string, () => Promise<Dialect>>> = {
  postgresql: async () => (await import('./postgresql/postgresql.dialect.js')).postgresql,
  postgres: async () => (await import('./postgresql/postgresql.dialect.js')).postgresql,
  sqlserver: async () =>
    (await import('./sqlserver/sqlserver.dialect.js')).sqlserver(await loadDriver('sqlserver', 'tedious')),
  oracle: async () => (await import('./oracle/oracle.dialect.js')).oracle(await loadDriver('oracle', 'oracledb')),
};

/** @throws CoreSettingFault */
export function dialectOf(scheme: string): Promise<Dialect> {
  const load = Object.hasOwn(dialects, scheme) ? dialects[scheme] : undefined;
  if (load === undefined)
    throw new CoreSettingFault('CORE_URL', `must begin with ${Object.keys(dialects).join(' or ')}`);
  return load();
}
