import { BootError } from './config/boot-error.js';
import type { GatewayConfig } from './config/config.js';

/** Refuses changes of settings on which other processes or the content of the database depend. @throws BootError */
export function refuseLastingChange(now: GatewayConfig, next: GatewayConfig): void {
  const lasting = (config: GatewayConfig): Readonly<Record<string, unknown>> => ({
    ID_KEY: config.idKey,
    KEY_ENCRYPTION_KEY: config.authorisationServer?.keyEncryptionKey.toString('hex'),
    REVOCATION_JOURNAL_KEY: config.revocationJournal?.key,
    DATABASE_URL: config.database.url,
  });
  const [before, after] = [lasting(now), lasting(next)];
  for (const name of Object.keys(before))
    if (before[name] !== after[name]) throw new BootError(`${name} has changed: that needs a restart`);
}
