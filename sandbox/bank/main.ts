import { join } from 'node:path';
import { type Clock, SystemClock } from '../../src/clock/clock.js';
import { keptClock } from '../clock/kept-time.js';
import { SoftwareRegister } from '../directory/software-register.js';
import { ensurePki, readJwk } from '../pki/kept-pki.js';
import { readSandboxConfig } from '../sandbox.config.js';
import { issuerKeys, keptSecret } from '../secrets.js';
import { listenFault, runMember } from '../stack-member.js';
import { obeyTimeOrders, report } from '../stack-messages.js';
import { watchHttp } from '../watched-http.js';
import { customerOf } from './customers.js';
import type { OtherCores } from './other-core.js';
import { startSandboxBank } from './sandbox-bank.js';

/** The sandbox bank as a process. */
async function start(): Promise<() => Promise<void>> {
  const config = readSandboxConfig();
  const clock = await keptClock(config.dataDir);
  const tppClock = new SystemClock();
  const { customers, environment } = config;
  const otherCores = customers && (await openOtherCores(environment, clock));
  const { directoryKeyFile } = await ensurePki(config.dataDir, tppClock.nowMs());
  const bank = await startSandboxBank({
    port: config.sandboxPort,
    host: config.sandboxHost,
    credential: config.bankCredential ?? (await keptSecret(config.dataDir, 'bank-credential')),
    signOnCredential: config.signOnCredential ?? (await keptSecret(config.dataDir, 'sign-on-credential')),
    issuerKeys: await issuerKeys(config.dataDir),
    directoryKey: await readJwk(directoryKeyFile),
    software: await SoftwareRegister.open(join(config.dataDir, 'sandbox', 'directory.json')),
    clock,
    tppClock,
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    ...(customers && { makePersonas: () => customers.map(customerOf), otherCores }),
  }).catch((error: unknown) => {
    throw listenFault(error, config.sandboxHost, config.sandboxPort, 'SANDBOX_PORT');
  });
  obeyTimeOrders(clock, () => bank.timeMoved());
  // Reports only the path of a core read, because the answers hold customers' data.
  watchHttp(
    (exchange) => report({ exchange }),
    isShownInConsole,
    () => false,
  );
  return async () => {
    await bank.close();
    await otherCores?.close();
  };
}

/** Loaded only where it is needed: most sandboxes have no other core. */
async function openOtherCores(environment: Readonly<NodeJS.ProcessEnv>, clock: Clock): Promise<OtherCores> {
  const { OtherCores, openConfiguredCores } = await import('./other-core.js');
  return new OtherCores(() => openConfiguredCores(environment, clock));
}

/** Reads of the core, and requests that change something that the console shows. */
function isShownInConsole(_port: number, url: string): boolean {
  return /^\/(ledger\/clients|sign-on\/tickets|admin\/(accounts|fault))/.test(url);
}

await runMember('sandbox bank', start);
