import 'reflect-metadata';
import { join } from 'node:path';
import { allOrNone } from './all-or-none.js';
import { isEmbedded, readAuthorisationServer } from './authorisation-server-settings.js';
import { BootError } from './boot-error.js';
import type { GatewayConfig, TrailConfig, TlsFiles } from './config.js';
import { readCores, settingNamesOfCores } from './core-settings.js';
import { readDatabase } from './database-settings.js';
import { Environment } from './environment.dto.js';
import { isHttps, refuseExposure } from './exposure.js';
import { readIssuers } from './issuer-settings.js';
import { refuseNearNames } from './near-names.js';
import { refusePlainConnections } from './plain-connections.js';
import { apiLimits } from './rate-limits.js';
import { readSettings } from './read-settings.js';
import { withFiles } from './setting-files.js';
import { settingNames, withFileNames } from './setting-names.js';
import { refuseWeakSecrets } from './weak-secrets.js';

/**
 * The most open connections of each port and process. So many idle ones take less memory than the process itself, and no
 * bank's TPPs come near it.
 */
const mostConnections = 2_000;

/**
 * The gateway's settings from environment variables, checked and frozen. A {@link BootError} names every setting that
 * is wrong, in one line, and never repeats a value: it may be a secret.
 */
export function loadConfig(variables: NodeJS.ProcessEnv = process.env): GatewayConfig {
  const faults: string[] = [];
  const names = new Set([...settingNames, ...settingNamesOfCores(variables['CORES'])]);
  const given = withFiles(variables, faults, names);
  refuseNearNames(given, withFileNames(names), faults);
  refuseWeakSecrets(given, faults);
  const environment = readSettings(Environment, given, faults);
  const cores = readCores(given, environment, faults);
  const groups = readGroups(environment, faults);
  refuseExposure(environment, faults);
  refusePlainConnections(environment, faults, given['PGHOST']);
  if (faults.length > 0)
    throw new BootError(`settings: ${[...new Set(faults)].join('; ')} (see docs/operate/settings.md)`);
  return Object.freeze<GatewayConfig>({
    ...addressesOf(environment, groups.tls !== undefined),
    ...rulesOf(environment),
    ...groupsOf(groups),
    trail: trailOf(environment),
    ...signOnOf(environment, given),
    cores,
    tracing: environment.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
  });
}

/** The values that consist of several settings. `faults` names each group that is only partly set. */
function readGroups(environment: Environment, faults: string[]) {
  const tls = allOrNone(environment, ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'TLS_CLIENT_CA_FILE'], faults);
  const proxy = allOrNone(environment, ['CLIENT_CERTIFICATE_HEADER', 'TRUSTED_PROXIES', 'PROXY_SECRET'], faults);
  if (tls && proxy) faults.push('TLS_CERT_FILE and CLIENT_CERTIFICATE_HEADER exclude each other: one place ends TLS');
  const { TLS_CLIENT_CRL_FILE: clientCrlFile } = environment;
  if (clientCrlFile !== undefined && !tls)
    faults.push('TLS_CLIENT_CRL_FILE needs TLS_CERT_FILE: a proxy that ends TLS checks revocation itself');
  if (tls && environment.BASE_URL !== undefined && !isHttps(environment.BASE_URL))
    faults.push('BASE_URL must be an https URL where TLS_CERT_FILE is set');
  const bankTls = readBankTls(environment, faults);
  const embedded = isEmbedded(environment);
  const authorisationServer = embedded ? readAuthorisationServer(environment, proxy !== undefined, faults) : undefined;
  const issuers = readIssuers(environment, embedded, faults);
  const database = readDatabase(environment, faults);
  return { tls, clientCrlFile, proxy, bankTls, authorisationServer, issuers, database };
}

type Groups = ReturnType<typeof readGroups>;

function groupsOf(groups: Groups) {
  const { tls, clientCrlFile, proxy, bankTls, authorisationServer, issuers, database } = groups;
  return {
    issuers,
    database,
    ...(authorisationServer && { authorisationServer }),
    ...(tls && {
      tls: { certFile: tls[0], keyFile: tls[1], clientCaFile: tls[2], ...(clientCrlFile && { clientCrlFile }) },
    }),
    ...(bankTls && { bankTls }),
    ...(proxy && { proxy: { certificateHeader: proxy[0].toLowerCase(), trustedPeers: proxy[1], secrets: proxy[2] } }),
  };
}

function signOnOf(
  { CUSTOMER_AUTHENTICATION: name, CUSTOMER_AUTHENTICATION_URL: url }: Environment,
  given: Readonly<Record<string, string>>,
): Pick<GatewayConfig, 'customerAuthentication'> {
  if (url === undefined) return {};
  // An adapter finds among them the settings that only it needs.
  const variables = Object.fromEntries(
    Object.entries(given).filter(([variable]) => variable.startsWith('CUSTOMER_AUTHENTICATION_')),
  );
  return { customerAuthentication: { name, url: url.replace(/\/+$/, ''), variables } };
}

function addressesOf(environment: Environment, hasTls: boolean) {
  const { HOST, PORT, BASE_URL, BANK_HOST, BANK_PORT } = environment;
  return {
    host: HOST,
    port: PORT,
    bankHost: BANK_HOST,
    bankPort: BANK_PORT,
    maxConnections: mostConnections,
    baseUrl: (BASE_URL ?? `${hasTls ? 'https' : 'http'}://localhost:${PORT}`).replace(/\/+$/, ''),
    bankCredentials: environment.BANK_CREDENTIAL,
  };
}

function rulesOf(environment: Environment) {
  return {
    profile: environment.PROFILE,
    stopDelayMs: environment.STOP_DELAY_SECONDS * 1_000,
    logLevel: environment.LOG_LEVEL,
    idKey: environment.ID_KEY,
    rateLimits: apiLimits(environment.TPP_REQUESTS_PER_SECOND),
    twoPersons: environment.TWO_PERSONS === 'yes',
  };
}

function trailOf(environment: Environment): TrailConfig {
  return {
    directory: environment.TRAIL_DIR ?? join(environment.DATA_DIR, 'trail'),
    fault: environment.TRAIL_FAULT,
    key: environment.TRAIL_KEY,
    pseudonymKeys: environment.PSEUDONYM_KEY,
  };
}

/** TLS on the bank's port. Adds a line to `faults` for each missing setting. The result is then unusable. */
function readBankTls(environment: Environment, faults: string[]): TlsFiles | undefined {
  const pair = allOrNone(environment, ['BANK_TLS_CERT_FILE', 'BANK_TLS_KEY_FILE'], faults);
  const { BANK_TLS_CLIENT_CA_FILE: clientCaFile } = environment;
  if (pair === undefined) {
    if (clientCaFile !== undefined)
      faults.push('BANK_TLS_CLIENT_CA_FILE needs BANK_TLS_CERT_FILE and BANK_TLS_KEY_FILE');
    return undefined;
  }
  const [certFile, keyFile] = pair;
  return { certFile, keyFile, ...(clientCaFile !== undefined && { clientCaFile }) };
}
