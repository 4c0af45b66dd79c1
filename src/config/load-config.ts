import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { BootError } from './boot-error.js';
import {
  defaultClaims,
  tokenAlgorithms,
  type AuthorisationServerConfig,
  type DatabaseConfig,
  type DirectoryConfig,
  type GatewayConfig,
  type IssuerConfig,
  type RateLimitConfig,
  type TokenBinding,
} from './config.js';
import { readDatabaseUrl } from './database-url.js';
import { Environment } from './environment.dto.js';
import { readBankTls } from './bank-tls.js';
import { readIssuersFile } from './issuers-file.js';
import { isPlainHttpElsewhere } from './key-set-source.js';
import { refuseNearNames } from './near-names.js';
import { refusePlainConnections } from './plain-connections.js';
import { withSecretsOfFiles } from './secrets.js';
import { settingNames } from './setting-names.js';
import { refuseWeakSecrets } from './weak-secrets.js';
import { sayHowToMake, together, type Setting } from './together.js';

/**
 * The gateway's settings from environment variables, checked and frozen. A {@link BootError} names every setting that
 * is wrong, in one line, and never repeats a value: it may be a secret.
 */
export function loadConfig(variables: Readonly<Record<string, string | undefined>> = process.env): GatewayConfig {
  const faults: string[] = [];
  // An empty variable is how a shell or a compose file says "not set".
  const given = withSecretsOfFiles(
    Object.fromEntries(
      Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
    ),
    faults,
  );
  refuseNearNames(given, settingNames, faults);
  refuseWeakSecrets(given, faults);
  const environment = plainToInstance(Environment, given, {
    excludeExtraneousValues: true,
    exposeDefaultValues: true,
  });
  for (const { constraints = {} } of validateSync(environment)) {
    // What is no number at all is not "too large".
    const { isInt = Object.values(constraints)[0] } = constraints;
    if (isInt !== undefined) faults.push(isInt);
  }
  const tls = together(environment, ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'TLS_CLIENT_CA_FILE'], faults);
  const proxy = together(environment, ['CLIENT_CERTIFICATE_HEADER', 'TRUSTED_PROXIES', 'PROXY_SECRET'], faults);
  if (tls && proxy) faults.push('TLS_CERT_FILE and CLIENT_CERTIFICATE_HEADER exclude each other: one place ends TLS');
  if (tls && environment.BASE_URL !== undefined && !isHttps(environment.BASE_URL))
    faults.push('BASE_URL must be an https URL where TLS_CERT_FILE is set');
  const bankTls = readBankTls(environment, faults);
  const signOn = together(environment, ['CUSTOMER_AUTHENTICATION_URL', 'CUSTOMER_AUTHENTICATION_CREDENTIAL'], faults);
  const embedded = isEmbedded(environment);
  const authorisationServer = embedded ? readAuthorisationServer(environment, proxy !== undefined, faults) : undefined;
  const issuers = readIssuers(environment, embedded, faults);
  const database = readDatabase(environment, faults);
  refuseExposure(environment, faults);
  refusePlainConnections(environment, faults, given['PGHOST']);
  if (faults.length > 0) throw new BootError(`settings: ${[...new Set(faults)].join('; ')} (see .env.example)`);

  return Object.freeze<GatewayConfig>({
    host: environment.HOST,
    port: environment.PORT,
    bankHost: environment.BANK_HOST,
    bankPort: environment.BANK_PORT,
    baseUrl: (environment.BASE_URL ?? `${tls ? 'https' : 'http'}://localhost:${environment.PORT}`).replace(/\/+$/, ''),
    profile: environment.PROFILE,
    stopDelayMs: environment.STOP_DELAY_SECONDS * 1_000,
    logLevel: environment.LOG_LEVEL,
    database,
    ...(environment.REVOCATION_JOURNAL !== undefined && { revocationJournal: environment.REVOCATION_JOURNAL }),
    core: {
      name: environment.CORE,
      url: environment.CORE_URL.replace(/\/+$/, ''),
      deadlineMs: environment.CORE_DEADLINE_MS,
      connections: environment.CORE_CONNECTIONS,
      variables: Object.fromEntries(Object.entries(given).filter(([name]) => name.startsWith('CORE_'))),
    },
    ...(signOn && {
      customerAuthentication: {
        name: environment.CUSTOMER_AUTHENTICATION,
        url: signOn[0].replace(/\/+$/, ''),
        credential: signOn[1],
      },
    }),
    ...(authorisationServer && { authorisationServer }),
    issuers,
    ...(tls && { tls: { certFile: tls[0], keyFile: tls[1], clientCaFile: tls[2] } }),
    ...(bankTls && { bankTls }),
    ...(proxy && {
      proxy: {
        certificateHeader: proxy[0].toLowerCase(),
        trustedPeers: proxy[1].split(',').map((range) => range.trim()),
        secret: proxy[2],
      },
    }),
    bankCredential: environment.BANK_CREDENTIAL,
    ...(environment.BANK_CREDENTIAL_NEXT !== undefined && { bankCredentialNext: environment.BANK_CREDENTIAL_NEXT }),
    idKey: environment.ID_KEY,
    pageSize: environment.PAGE_SIZE,
    rateLimits: readRateLimits(environment),
    unattendedAccess: { mode: environment.UNATTENDED_ACCESS, limit: environment.UNATTENDED_ACCESS_LIMIT },
    authenticationWindowMs: environment.AUTHENTICATION_WINDOW_SECONDS * 1_000,
    exemptHistoryMs: environment.EXEMPT_HISTORY_DAYS * 86_400_000,
    consentAuthorisationMs: environment.CONSENT_AUTHORISATION_HOURS * 3_600_000,
    statusAfterWithdrawal: environment.STATUS_AFTER_WITHDRAWAL,
    errorCodePrefix: environment.ERROR_CODE_PREFIX,
    bankTimeZone: environment.BANK_TIME_ZONE,
  });
}

function readDatabase(environment: Environment, faults: string[]): DatabaseConfig {
  const { DATABASE_URL: url, FEED_DATABASE_URL: feedUrl } = environment;
  if (feedUrl !== undefined && url === undefined) faults.push('FEED_DATABASE_URL needs DATABASE_URL');
  try {
    const database = url === undefined ? undefined : readDatabaseUrl(url, 'DATABASE_URL');
    const { schema } = feedUrl === undefined ? {} : readDatabaseUrl(feedUrl, 'FEED_DATABASE_URL');
    if (schema !== undefined && schema !== database?.schema)
      faults.push('FEED_DATABASE_URL must not name another schema than DATABASE_URL');
  } catch (error) {
    faults.push((error as BootError).message);
  }
  return {
    dataDir: environment.DATA_DIR,
    ...(url !== undefined && { url }),
    ...(feedUrl !== undefined && { feedUrl }),
    poolSize: environment.DATABASE_POOL_SIZE,
    connectTimeoutMs: environment.DATABASE_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: environment.DATABASE_STATEMENT_TIMEOUT_MS,
  };
}

/** A rate of 0 is no limit. */
function readRateLimits(environment: Environment): RateLimitConfig {
  const { TPP_REQUESTS_PER_SECOND: requests, TPP_CONSENTS_PER_SECOND: consents } = environment;
  return {
    ...(requests > 0 && { requests: { perSecond: requests, burst: environment.TPP_REQUESTS_BURST } }),
    ...(consents > 0 && { consents: { perSecond: consents, burst: environment.TPP_CONSENTS_BURST } }),
  };
}

const isHttps = (url: string): boolean => /^https:/i.test(url);

/** TPPs come with certificates: a token that is bound to nothing would be anybody's who gets hold of it. */
function endsMutualTls({ TLS_CERT_FILE, CLIENT_CERTIFICATE_HEADER }: Environment): boolean {
  return TLS_CERT_FILE !== undefined || CLIENT_CERTIFICATE_HEADER !== undefined;
}

/** TPPs reach the gateway over TLS, which it ends or a proxy does: no sandbox on plain HTTP. */
function isOverTls({ TLS_CERT_FILE, CLIENT_CERTIFICATE_HEADER, BASE_URL = '' }: Environment): boolean {
  return TLS_CERT_FILE !== undefined || CLIENT_CERTIFICATE_HEADER !== undefined || isHttps(BASE_URL);
}

/** Who is on the way could replace the keys and sign tokens, or read what customers sign in with. */
function refuseExposure(environment: Environment, faults: string[]): void {
  if (!isOverTls(environment)) return;
  for (const name of ['TOKEN_JWKS', 'BROWSER_URL', 'CUSTOMER_AUTHENTICATION_URL'] as const)
    if (isPlainHttpElsewhere(environment[name] ?? ''))
      faults.push(`${name} must not be plain HTTP to another machine where TPPs come over TLS`);
}

/** What a bank has that names no authorization server of its own. */
function isEmbedded({
  AUTHORISATION_SERVER: chosen,
  ISSUERS_FILE,
  TOKEN_ISSUER,
  TOKEN_AUDIENCE,
  TOKEN_JWKS,
}: Environment): boolean {
  if (chosen !== undefined) return chosen === 'embedded';
  return [ISSUERS_FILE, TOKEN_ISSUER, TOKEN_AUDIENCE, TOKEN_JWKS].every((value) => value === undefined);
}

const neededToEmbed = [
  'KEY_ENCRYPTION_KEY',
  'MTLS_CERT_FILE',
  'MTLS_KEY_FILE',
  'MTLS_CLIENT_CA_FILE',
  'CUSTOMER_AUTHENTICATION_URL',
  'CUSTOMER_AUTHENTICATION_CREDENTIAL',
] as const satisfies readonly Setting[];

/**
 * What is missing becomes a line in `faults`; then the answer is of no use.
 * @param behindProxy whether a proxy is trusted to say which certificate a TPP presented to it: it may end TLS for us
 */
function readAuthorisationServer(
  environment: Environment,
  behindProxy: boolean,
  faults: string[],
): AuthorisationServerConfig {
  const browserTls = together(environment, ['BROWSER_TLS_CERT_FILE', 'BROWSER_TLS_KEY_FILE'], faults);
  const { MTLS_CERT_FILE: certFile, MTLS_KEY_FILE: keyFile, MTLS_CLIENT_CA_FILE: clientCaFile = '' } = environment;
  const proxyEndsTls = behindProxy && certFile === undefined && keyFile === undefined;
  const missing = neededToEmbed.filter(
    (name) => environment[name] === undefined && !(proxyEndsTls && ['MTLS_CERT_FILE', 'MTLS_KEY_FILE'].includes(name)),
  );
  if (missing.length > 0)
    faults.push(
      `the embedded authorization server lacks ${missing.join(', ')}: set them or, where the bank has an authorization server of its own, ISSUERS_FILE`,
    );
  sayHowToMake(missing, faults);
  const origin = (setting: 'BROWSER_URL' | 'MTLS_URL', fallback: string, protocols: readonly string[]): string => {
    const given = environment[setting] ?? fallback;
    // What is no URL, or has no port for one, has its fault already.
    if (!URL.canParse(given)) return '';
    const { protocol, origin: url, pathname, search } = new URL(given);
    if (!protocols.includes(protocol) || pathname !== '/' || search !== '')
      faults.push(`${setting} must be ${protocols.join(' or ')}//host:port, without a path`);
    return url;
  };
  const directory = readDirectory(environment, faults);
  const { HOST: host, BROWSER_PORT: browserPort, MTLS_PORT: tppPort } = environment;
  const scheme = browserTls ? 'https' : 'http';
  return {
    browser: {
      host,
      port: browserPort,
      url: origin('BROWSER_URL', `${scheme}://localhost:${browserPort}`, browserTls ? ['https:'] : ['http:', 'https:']),
      ...(browserTls && { tls: { certFile: browserTls[0], keyFile: browserTls[1] } }),
    },
    tpp: {
      host,
      port: tppPort,
      url: origin('MTLS_URL', `https://localhost:${tppPort}`, ['https:']),
      ...(proxyEndsTls
        ? { clientCaFile }
        : { tls: { certFile: certFile ?? '', keyFile: keyFile ?? '', clientCaFile } }),
    },
    keyEncryptionKey: Buffer.from(environment.KEY_ENCRYPTION_KEY ?? '', 'hex'),
    signIn: {
      starts: environment.SIGN_IN_STARTS,
      windowMs: environment.SIGN_IN_WINDOW_SECONDS * 1_000,
      freeStarts: environment.SIGN_IN_FREE_STARTS,
      delayMs: environment.SIGN_IN_DELAY_SECONDS * 1_000,
      addressStarts: environment.SIGN_IN_ADDRESS_STARTS,
      knownBrowserMs: environment.SIGN_IN_KNOWN_BROWSER_DAYS * 86_400_000,
      proxies: (environment.SIGN_IN_PROXIES?.split(',') ?? []).map((range) => range.trim()),
    },
    ...(environment.BRAND_FILE !== undefined && { brandFile: environment.BRAND_FILE }),
    ...(environment.TPPS_FILE !== undefined && { tppsFile: environment.TPPS_FILE }),
    ...(directory && { directory }),
  };
}

function readDirectory(environment: Environment, faults: string[]): DirectoryConfig | undefined {
  const known = together(environment, ['DIRECTORY_ISSUER', 'DIRECTORY_JWKS'], faults);
  const { DIRECTORY_STATEMENTS: statements, DIRECTORY_CA_FILE: caFile, DIRECTORY_BANK_ID: bankId } = environment;
  if (known === undefined) {
    if ((statements ?? caFile ?? bankId) !== undefined)
      faults.push(
        'DIRECTORY_STATEMENTS, DIRECTORY_CA_FILE and DIRECTORY_BANK_ID need DIRECTORY_ISSUER and DIRECTORY_JWKS',
      );
    return undefined;
  }
  return {
    issuer: known[0],
    jwks: known[1],
    ...(statements !== undefined && { statements }),
    ...(caFile !== undefined && { caFile }),
    ...(bankId !== undefined && { bankId }),
  };
}

/** By a file, or for the simple case by three settings. */
function readIssuers(environment: Environment, embedded: boolean, faults: string[]): readonly IssuerConfig[] {
  const file = environment.ISSUERS_FILE;
  const simple = together(environment, ['TOKEN_ISSUER', 'TOKEN_AUDIENCE', 'TOKEN_JWKS'], faults);
  if (file === undefined && simple === undefined && embedded) return [];
  if ((file === undefined) === (simple === undefined)) {
    faults.push('set ISSUERS_FILE, or TOKEN_ISSUER, TOKEN_AUDIENCE and TOKEN_JWKS, and not both');
    return [];
  }
  const unbound = environment.UNBOUND_TOKENS === 'allow';
  if (unbound && isOverTls(environment))
    faults.push(
      'UNBOUND_TOKENS=allow is for a sandbox on plain HTTP only, without TLS, a proxy that ends it and an https BASE_URL',
    );
  if (file !== undefined) return readIssuersFile(file, unbound, faults);
  return simple === undefined
    ? []
    : [Object.freeze(simpleIssuer(...simple, endsMutualTls(environment) ? 'mtls-or-dpop' : 'none'))];
}

/** RFC 9068 tokens of one issuer, bound to a certificate or a key where they say so, or where they must be. */
export function simpleIssuer(
  issuer: string,
  audience: string,
  jwks: string,
  binding: TokenBinding = 'none',
): IssuerConfig {
  return {
    issuer,
    audience,
    jwks,
    algorithms: tokenAlgorithms,
    typ: 'at+jwt',
    claims: defaultClaims,
    binding,
    subjectIsCustomer: false,
  };
}
