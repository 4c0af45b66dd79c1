import { join } from 'node:path';
import { FaultyStart, codeOf, portInUse } from '../faulty-start.js';
import { SystemClock } from '../../src/clock/clock.js';
import { keptClock } from '../clock/kept-time.js';
import { SoftwareRegister } from '../directory/software-register.js';
import { ensurePki, readJwk } from '../pki/kept-pki.js';
import { readSandboxConfig } from '../sandbox.config.js';
import { bankCredential, issuerKeys, signOnCredential } from '../secrets.js';
import { obeyTimeOrders, report } from '../stack-messages.js';
import { watchHttp } from '../watched-http.js';
import { startSandboxBank } from './sandbox-bank.js';
import type { SandboxBank } from './sandbox-bank.js';

/** The sandbox bank as a process: until SIGTERM, until Ctrl-C, or until the process that started it has gone. */
async function main(): Promise<void> {
  // Ctrl-C reaches every process of the terminal. Under `npm start` the gateway is still answering then, and needs us:
  // the parent tells it when to stop.
  if (process.connected) process.on('SIGINT', () => undefined);
  const config = readSandboxConfig();
  const clock = await keptClock(config.dataDir);
  const tppClock = new SystemClock();
  const { directoryKeyFile } = await ensurePki(config.dataDir, tppClock.nowMs());
  const bank = await startSandboxBank({
    port: config.sandboxPort,
    host: config.sandboxHost,
    credential: config.bankCredential ?? (await bankCredential(config.dataDir)),
    signOnCredential: config.signOnCredential ?? (await signOnCredential(config.dataDir)),
    issuerKeys: await issuerKeys(config.dataDir),
    directoryKey: await readJwk(directoryKeyFile),
    software: await SoftwareRegister.open(join(config.dataDir, 'sandbox', 'directory.json')),
    clock,
    tppClock,
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
  }).catch((error: unknown) => {
    throw listenFault(error, config.sandboxHost, config.sandboxPort);
  });
  obeyTimeOrders(clock, () => bank.timeMoved());
  // Reports only the path of a core read, because the answers hold customers' data.
  watchHttp(
    (exchange) => report({ exchange }),
    isTold,
    () => false,
  );
  stopWhenAsked(bank);
}

/** Reads of the core, and requests that change something that the console shows. */
function isTold(_port: number, url: string): boolean {
  return /^\/(ledger\/clients|sign-on\/tickets|admin\/(accounts|fault))/.test(url);
}

function stopWhenAsked(bank: SandboxBank): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void bank.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  if (!process.connected) process.on('SIGINT', stop);
  process.once('disconnect', stop);
}

function listenFault(error: unknown, host: string, port: number): unknown {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') return portInUse(port, 'SANDBOX_PORT');
  if (code === 'EACCES') return new FaultyStart(`port ${port} may not be used: set SANDBOX_PORT to one above 1023`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new FaultyStart(`${host} is not an address of this machine: set SANDBOX_HOST`);
  }
  return error;
}

main().catch((error: unknown) => {
  if (!(error instanceof FaultyStart)) throw error;
  process.stderr.write(`sandbox bank: ${error.message}\n`);
  process.exit(1);
});
