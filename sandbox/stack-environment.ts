import { join } from 'node:path';
import { SystemClock } from '../src/clock/clock.js';
import { packageRoot } from '../src/persistence/package-root.js';
import { directoryIssuer } from './directory/software.js';
import { ensurePki, pkiFiles } from './pki/kept-pki.js';
import type { SandboxConfig } from './sandbox.config.js';
import { type SecretName, issuerKeys, keptSecret } from './secrets.js';

/** Secrets of the stack's processes, which the sandbox generates. */
export type StackSecrets = Awaited<ReturnType<typeof secretsOf>>;

/** The secrets under the data directory, made at the first start; those of the environment come first. */
export async function keptSecrets(config: SandboxConfig): Promise<StackSecrets> {
  const { dataDir, authorisationServer } = config;
  // Made here, before there are processes that would each begin to make them; at once, because keys take their time.
  await Promise.all([
    issuerKeys(dataDir),
    authorisationServer === 'embedded' ? ensurePki(dataDir, new SystemClock().nowMs()) : undefined,
  ]);
  return secretsOf(config, (name) => keptSecret(dataDir, name));
}

/** @param made a secret that the environment does not give */
export async function secretsOf(config: SandboxConfig, made: (name: SecretName) => string | Promise<string>) {
  return {
    bankCredential: config.bankCredential ?? (await made('bank-credential')),
    idKey: config.idKey ?? (await made('id-key')),
    trailKey: config.trailKey ?? (await made('trail-key')),
    pseudonymKey: config.pseudonymKey ?? (await made('pseudonym-key')),
    /** Secrets of the embedded authorization server, if it runs. */
    ...(config.authorisationServer === 'embedded' && {
      embedded: {
        pki: pkiFiles(config.dataDir),
        keyEncryptionKey: await made('key-encryption-key'),
        signOnCredential: config.signOnCredential ?? (await made('sign-on-credential')),
      },
    }),
  };
}

/**
 * The settings of the environment, and for those that are missing the values by which the processes find and trust each
 * other.
 */
export function stackEnvironment(config: SandboxConfig, secrets: StackSecrets): NodeJS.ProcessEnv {
  return {
    // No load balancer has to notice the stop first, and the console reads the access record of each request. Settings of the
    // environment follow and override both.
    STOP_DELAY_SECONDS: '0',
    LOG_LEVEL: 'debug',
    ...config.environment,
    PORT: String(config.port),
    BANK_PORT: String(config.bankPort),
    SANDBOX_PORT: String(config.sandboxPort),
    BASE_URL: config.baseUrl,
    PROFILE: config.profile,
    DATA_DIR: config.dataDir,
    ...(config.cores === undefined && { CORE: config.core, CORE_URL: config.coreUrl }),
    TOKEN_ISSUER: config.tokenIssuer,
    TOKEN_AUDIENCE: config.tokenAudience,
    TOKEN_JWKS: config.tokenJwks,
    BANK_CREDENTIAL: config.environment.BANK_CREDENTIAL || secrets.bankCredential,
    ID_KEY: secrets.idKey,
    TRAIL_KEY: secrets.trailKey,
    PSEUDONYM_KEY: secrets.pseudonymKey,
    AUTHORISATION_SERVER: config.authorisationServer,
    ...(secrets.embedded && embeddedEnvironment(config, secrets.embedded)),
  };
}

/** The settings that only the gateway's own authorization server needs; a setting of the environment comes first. */
export function embeddedEnvironment(
  config: SandboxConfig,
  { pki, keyEncryptionKey: key, signOnCredential: credential }: NonNullable<StackSecrets['embedded']>,
): NodeJS.ProcessEnv {
  const made: NodeJS.ProcessEnv = {
    KEY_ENCRYPTION_KEY: key,
    MTLS_CERT_FILE: pki.gateway.certificateFile,
    MTLS_KEY_FILE: pki.gateway.keyFile,
    MTLS_CLIENT_CA_FILE: pki.authorityFile,
    CUSTOMER_AUTHENTICATION_URL: config.signOnUrl,
    CUSTOMER_AUTHENTICATION_CREDENTIAL: credential,
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
