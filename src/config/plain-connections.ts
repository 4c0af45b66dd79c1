import { isIPv4 } from 'node:net';
import { readDatabaseUrl } from './database-url.js';
import type { CoreEnvironment, Environment } from './environment.dto.js';

/** A connection within this machine passes no network. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
  );
}

/**
 * Credentials and customers' data pass to and from the bank. Without TLS they may leave this machine only where a setting
 * allows it by name. Each exposure adds a line to `faults`.
 * @param pgHost see {@link isPrivateDatabase}
 */
export function refusePlainConnections(environment: Environment, faults: string[], pgHost?: string): void {
  const { BANK_HOST: bankHost, BANK_TLS_CERT_FILE, BANK_PLAIN_HTTP, DATABASE_PLAIN_TCP } = environment;
  if (!isLoopbackHost(bankHost) && BANK_TLS_CERT_FILE === undefined && BANK_PLAIN_HTTP === 'refuse')
    faults.push(
      `BANK_HOST is not a loopback address and BANK_PORT has no TLS: set BANK_TLS_CERT_FILE and BANK_TLS_KEY_FILE, ${orAllow('BANK_PLAIN_HTTP')}`,
    );
  refusePlainCore(environment, faults);
  const { CUSTOMER_AUTHENTICATION_URL: signOn, CUSTOMER_AUTHENTICATION_PLAIN_HTTP } = environment;
  if (isPlainElsewhere(signOn) && CUSTOMER_AUTHENTICATION_PLAIN_HTTP === 'refuse')
    faults.push(
      `CUSTOMER_AUTHENTICATION_URL is plain HTTP to another machine: make it https, ${orAllow('CUSTOMER_AUTHENTICATION_PLAIN_HTTP')}`,
    );
  const { DATABASE_URL: url } = environment;
  if (url !== undefined && DATABASE_PLAIN_TCP === 'refuse' && isReadable(url) && !isPrivateDatabase(url, pgHost))
    faults.push(
      `DATABASE_URL is on another machine without TLS that knows it: add sslmode=verify-full, ${orAllow('DATABASE_PLAIN_TCP')}`,
    );
}

/** The same for the connection to one core. */
export function refusePlainCore({ CORE_URL, CORE_PLAIN_HTTP }: CoreEnvironment, faults: string[]): void {
  if (isPlainElsewhere(CORE_URL) && CORE_PLAIN_HTTP === 'refuse')
    faults.push(`CORE_URL is plain HTTP to another machine: make it https, ${orAllow('CORE_PLAIN_HTTP')}`);
}

const orAllow = (setting: string): string => `or set ${setting}=allow on a network of the bank's own`;

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
  const { host = pgHost, tls } = readDatabaseUrl(url, 'DATABASE_URL');
  if (tls !== undefined && tls !== false && tls.verify) return true;
  // A URL without a name, or with a path, means a socket of this machine.
  return host === '' || host.startsWith('/') || isLoopbackHost(host);
}

/** `readDatabaseUrl` reports an address that names no PostgreSQL. */
function isReadable(url: string): boolean {
  try {
    readDatabaseUrl(url, 'DATABASE_URL');
    return true;
  } catch {
    return false;
  }
}
