import { isIPv4 } from 'node:net';
import { readDatabaseUrl } from './database-url.js';
import type { CoreEnvironment } from './core-environment.dto.js';
import type { Environment } from './environment.dto.js';
import { isHttps, isOverTls } from './exposure.js';

/** A connection from this machine to itself passes no network. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
  );
}

/** The one setting that allows plain connections, with its one value. */
export const plainSwitch = 'ALLOW_PLAIN_CONNECTIONS';
const inSandbox = 'sandbox';
const orAllow = `or in a sandbox set ${plainSwitch}=${inSandbox}`;

/** @param value that of {@link plainSwitch} */
export function allowsPlain(value: string | undefined): boolean {
  return value === inSandbox;
}

/**
 * Credentials and customers' data pass to and from the bank. Without TLS they may leave this machine only in a sandbox that
 * says so. Each exposure adds a line to `faults`, and so does the switch of a gateway that is not a sandbox.
 * @param pgHost see {@link isPrivateDatabase}
 */
export function refusePlainConnections(environment: Environment, faults: string[], pgHost?: string): void {
  if (allowsPlain(environment.ALLOW_PLAIN_CONNECTIONS)) {
    if (!mayBeSandbox(environment))
      faults.push(
        `${plainSwitch}=${inSandbox} is for a sandbox alone: no TLS_CERT_FILE, no CLIENT_CERTIFICATE_HEADER, and no https ` +
          'BASE_URL, BROWSER_URL or MTLS_URL of another machine',
      );
    return;
  }
  const { BANK_HOST: bankHost, BANK_TLS_CERT_FILE } = environment;
  if (!isLoopbackHost(bankHost) && BANK_TLS_CERT_FILE === undefined)
    faults.push(
      `BANK_HOST is not a loopback address and BANK_PORT has no TLS: set BANK_TLS_CERT_FILE and BANK_TLS_KEY_FILE, ${orAllow}`,
    );
  refusePlainCore(environment, false, faults);
  if (isPlainElsewhere(environment.CUSTOMER_AUTHENTICATION_URL))
    faults.push(`CUSTOMER_AUTHENTICATION_URL is plain HTTP to another machine: make it https, ${orAllow}`);
  const { DATABASE_URL: url } = environment;
  if (url !== undefined && isReadable(url) && !isPrivateDatabase(url, pgHost))
    faults.push(
      `DATABASE_URL is on another machine, and TLS does not verify that machine: add sslmode=verify-full, ${orAllow}`,
    );
}

/** The same for the connection to one core. */
export function refusePlainCore({ CORE_URL }: CoreEnvironment, isAllowed: boolean, faults: string[]): void {
  if (isPlainElsewhere(CORE_URL) && !isAllowed)
    faults.push(`CORE_URL is plain HTTP to another machine: make it https, ${orAllow}`);
}

/** A gateway whose TPPs or customers come over TLS from other machines serves real customers. */
function mayBeSandbox(environment: Environment): boolean {
  const { BROWSER_URL, MTLS_URL } = environment;
  return !isOverTls(environment) && ![BROWSER_URL, MTLS_URL].some(isHttpsElsewhere);
}

function isHttpsElsewhere(url = ''): boolean {
  return isHttps(url) && URL.canParse(url) && !isLoopbackHost(new URL(url).hostname);
}

function isPlainElsewhere(url = ''): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

/**
 * Whether the server of a PostgreSQL URL is this machine, or is verified by its certificate.
 * @param pgHost the variable PGHOST, which the driver follows where the URL names no server
 */
export function isPrivateDatabase(url: string, pgHost = ''): boolean {
  const { host = pgHost, tls } = readDatabaseUrl(url);
  if (tls !== undefined && tls !== false && tls.verify) return true;
  // A URL without a name, or with a path, means a socket of this machine.
  return host === '' || host.startsWith('/') || isLoopbackHost(host);
}

/** `readDatabaseUrl` reports an address that names no PostgreSQL. */
function isReadable(url: string): boolean {
  try {
    readDatabaseUrl(url);
    return true;
  } catch {
    return false;
  }
}
