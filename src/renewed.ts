import { BootError } from './config/boot-error.js';
import type { GatewayConfig } from './config/config.js';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import type { CustomerAuthentication } from './customer-authentication/customer-authentication.js';

/** What a gateway that runs takes over from settings and files that were read again. */
export interface Renewed {
  readonly config: GatewayConfig;
  readonly adapter: CoreAdapter;
  readonly customers: CustomerAuthentication | undefined;
}

/** What cannot change while a process runs: other processes, or what lies in the database, hold on to it. */
export function refuseLastingChange(now: GatewayConfig, next: GatewayConfig): void {
  const lasting = (config: GatewayConfig): Readonly<Record<string, unknown>> => ({
    ID_KEY: config.idKey,
    KEY_ENCRYPTION_KEY: config.authorisationServer?.keyEncryptionKey.toString('hex'),
    DATABASE_URL: config.database.url,
    FEED_DATABASE_URL: config.database.feedUrl,
  });
  const [before, after] = [lasting(now), lasting(next)];
  for (const name of Object.keys(before))
    if (before[name] !== after[name]) throw new BootError(`${name} has changed: that needs a restart`);
}
