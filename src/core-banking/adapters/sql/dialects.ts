import { CoreSettingFault } from '../../../../packages/core-adapter/core-settings.js';
import type { Dialect } from './dialect.js';

/** By the scheme of CORE_URL. Only the named one is loaded. */
const dialects: Readonly<Record<string, () => Promise<Dialect>>> = {
  postgresql: async () => (await import('./postgresql/postgresql.dialect.js')).postgresql,
  postgres: async () => (await import('./postgresql/postgresql.dialect.js')).postgresql,
};

/** @throws CoreSettingFault */
export function dialectOf(scheme: string): Promise<Dialect> {
  const load = Object.hasOwn(dialects, scheme) ? dialects[scheme] : undefined;
  if (load === undefined)
    throw new CoreSettingFault('CORE_URL', `must begin with ${Object.keys(dialects).join(' or ')}`);
  return load();
}
