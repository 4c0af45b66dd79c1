import { join } from 'node:path';
import { SystemClock } from '../src/clock/clock.js';
import { packageRoot } from '../src/persistence/package-root.js';
import { directoryIssuer } from './directory/software.js';
import { ensurePki } from './pki/kept-pki.js';
import type { SandboxConfig } from './sandbox.config.js';
import { keyEncryptionKey, signOnCredential } from './secrets.js';

/**
 * The settings that only the gateway's own authorization server needs. Missing ones are made; a setting of the
 * environment comes first.
 */
export async function embeddedEnvironment(config: SandboxConfig): Promise<NodeJS.ProcessEnv> {
  const pki = await ensurePki(config.dataDir, new SystemClock().nowMs());
  const made: NodeJS.ProcessEnv = {
    KEY_ENCRYPTION_KEY: await keyEncryptionKey(config.dataDir),
    MTLS_CERT_FILE: pki.gateway.certificateFile,
    MTLS_KEY_FILE: pki.gateway.keyFile,
    MTLS_CLIENT_CA_FILE: pki.authorityFile,
    CUSTOMER_AUTHENTICATION_URL: config.signOnUrl,
    CUSTOMER_AUTHENTICATION_CREDENTIAL: config.signOnCredential ?? (await signOnCredential(config.dataDir)),
    DIRECTORY_ISSUER: directoryIssuer,
    DIRECTORY_JWKS: `${config.directoryUrl}/jwks.json`,
    DIRECTORY_STATEMENTS: `${config.directoryUrl}/software/{software_id}/statement`,
    BRAND_FILE: join(packageRoot(), 'sandbox/brand/brand.json'),
    BROWSER_PORT: String(config.browserPort),
    MTLS_PORT: String(config.mtlsPort),
    TPP_PORT: String(config.tppPort),
  };
  return Object.fromEntries(Object.entries(made).map(([name, value]) => [name, config.environment[name] || value]));
}
