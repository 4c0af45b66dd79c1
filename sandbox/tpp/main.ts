import { join } from 'node:path';
import { SystemClock } from '../../src/clock/clock.js';
import { loadProfile } from '../../src/profiles/load-profile.js';
import { FaultyStart, codeOf, portInUse } from '../faulty-start.js';
import { pkiFiles } from '../pki/kept-pki.js';
import { readSandboxConfig } from '../sandbox.config.js';
import { keptClock } from '../clock/kept-time.js';
import { bankCredential } from '../secrets.js';
import { obeyTimeOrders } from '../stack-messages.js';
import { choicesFor } from './asked-for.js';
import { bankEndpoint, openBank, registrationFile } from './registration.js';
import { Sessions } from './sessions.js';
import { createTppServer } from './tpp-server.js';

/** The sandbox's TPP as a process: until SIGTERM, or until the process that started it has gone. */
async function main(): Promise<void> {
  // The parent process ends this one.
  if (process.connected) process.on('SIGINT', () => undefined);
  const config = readSandboxConfig();
  // It shows how long the bank's windows are open, in the time of the bank.
  const clock = await keptClock(config.dataDir);
  obeyTimeOrders(clock);
  const { refusedPermissions } = await loadProfile(config.profile);
  const server = createTppServer({
    origin: config.tppUrl,
    openBank: async () =>
      openBank({
        endpoint: bankEndpoint(config),
        pki: pkiFiles(config.dataDir),
        file: registrationFile(config.dataDir),
        directoryUrl: config.directoryUrl,
        directoryCredential: config.bankCredential ?? (await bankCredential(config.dataDir)),
        clock: new SystemClock(),
      }),
    bankOrigin: config.browserUrl,
    choices: choicesFor(refusedPermissions),
    inboxUrl: `http://localhost:${config.sandboxPort}/inbox`,
    windowMs: config.authenticationWindowMs,
    clock,
    sessions: await Sessions.open(join(config.dataDir, 'sandbox', 'tpp-connections.json')),
  });
  try {
    await server.listen({ port: config.tppPort, host: '127.0.0.1' });
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw portInUse(config.tppPort, 'TPP_PORT');
    throw error;
  }
  const stop = (): void => void server.close().then(() => process.exit(0));
  // The signal may come more than once.
  process.on('SIGTERM', stop);
  process.once('disconnect', stop);
}

main().catch((error: unknown) => {
  if (!(error instanceof FaultyStart)) throw error;
  process.stderr.write(`sandbox TPP: ${error.message}\n`);
  process.exit(1);
});
