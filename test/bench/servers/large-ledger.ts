import { startSandboxBank } from '../../../sandbox/bank/sandbox-bank.js';
import { readSandboxConfig } from '../../../sandbox/sandbox.config.js';
import { issuerKeys, keptSecret } from '../../../sandbox/secrets.js';
import { largeBank } from '../large-bank.js';

/** The sandbox bank with other people in it, set by the same variables. */
const config = readSandboxConfig();
await startSandboxBank({
  port: config.sandboxPort,
  credential: config.bankCredential ?? (await keptSecret(config.dataDir, 'bank-credential')),
  issuerKeys: await issuerKeys(config.dataDir),
  issuer: config.tokenIssuer,
  audience: config.tokenAudience,
  makePersonas: largeBank,
});

process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
