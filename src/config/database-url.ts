import { isIPv6 } from 'node:net';
import { BootError } from './boot-error.js';

export interface DatabaseAddress {
  /** A name, an address, or the folder of a Unix socket. Without it the driver uses its default. */
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  /** The schema that Prisma uses; `public` where it is not set. */
  readonly schema?: string;
  /** Options of the session, as `psql` takes them. */
  readonly options: string;
  readonly applicationName: string;
  readonly connectTimeoutMs?: number;
  /** `undefined`: the environment variable PGSSLMODE decides. */
  readonly tls?: DatabaseTls | false;
}

interface DatabaseTls {
  /** Whether the driver checks the server's certificate and name. */
  readonly verify: boolean;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** Each works as libpq describes it, except `sslmode`: see `readTls`. */
const parameterNames = [
  'schema',
  'options',
  'application_name',
  'connect_timeout',
  'host',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
] as const;
type Parameter = (typeof parameterNames)[number];
type Parameters = Readonly<Partial<Record<Parameter, string>>>;

const form = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^@/?#]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;

/**
 * Reads `postgresql://user:password@host:5432/database?parameter=value`.
 * @throws BootError that names the fault in one line, without a value: the value may be the password
 */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const faults: string[] = [];
  const [address, credentials = '', authority = '', database = '', query = ''] = decodable(text)
    ? (form.exec(text) ?? [])
    : [];
  const parameters = readParameters(query, faults);
  const socket = parameters.host?.startsWith('/') ? { host: parameters.host } : undefined;
  const server = socket ?? readServer(authority);
  if (address !== undefined && authority.includes(','))
    throw new BootError(
      'DATABASE_URL names several hosts: name one address, that of a balancer which leads to the primary.',
    );
  if (address === undefined || server === undefined)
    throw new BootError(
      'DATABASE_URL names no PostgreSQL: write it as postgresql://user:password@host:5432/database, ' +
        'with each character of the password that is neither a letter nor a digit escaped, such as %40.',
    );
  if (parameters.host !== undefined && !parameters.host.startsWith('/'))
    faults.push('host must be the folder of a Unix socket: other hosts belong before the database');
  const seconds = parameters.connect_timeout;
  if (seconds !== undefined && !/^[1-9]\d{0,3}$/.test(seconds))
    faults.push('connect_timeout must be a whole number of seconds');
  const tls = readTls(parameters, faults);
  if (faults.length > 0) throw new BootError(`DATABASE_URL: ${faults.join('; ')}.`);

  const [user = '', password] = split(credentials).map(decodeURIComponent);
  return {
    ...server,
    ...(user !== '' && { user }),
    ...(password !== undefined && { password }),
    ...(database !== '' && { database: decodeURIComponent(database) }),
    ...(parameters.schema !== undefined && { schema: parameters.schema }),
    options: parameters.options ?? '',
    applicationName: parameters.application_name ?? 'account-information-gateway',
    ...(seconds !== undefined && { connectTimeoutMs: Number(seconds) * 1_000 }),
    ...(tls !== undefined && { tls }),
  };
}

function decodable(text: string): boolean {
  try {
    // PostgreSQL's protocol ends each text with U+0000.
    return !/\s/.test(text) && !decodeURIComponent(text).includes('\0');
  } catch {
    return false;
  }
}

/** Name and password. Only the first colon separates them. */
function split(credentials: string): string[] {
  const colon = credentials.indexOf(':');
  return colon < 0 ? [credentials] : [credentials.slice(0, colon), credentials.slice(colon + 1)];
}

function readParameters(query: string, faults: string[]): Parameters {
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    // Never repeat the text after a `?`: it may be the end of a password that was not escaped.
    const shown = !query.includes('@') && /^\w{1,30}$/.test(name) ? `the parameter ${name}` : 'a parameter';
    if (!parameterNames.some((one) => one === name))
      faults.push(`${shown} is not known to the gateway (known are ${parameterNames.join(', ')})`);
    if (name in parameters) faults.push(`${shown} is given twice`);
    if (value === '') faults.push(`${shown} has no value`);
    parameters[name] = value;
  }
  return parameters;
}

/** `undefined` where the text is not a server. */
function readServer(text: string): Pick<DatabaseAddress, 'host' | 'port'> | undefined {
  if (text === '') return {};
  const [address, bracketed, name = '', port] = /^(?:\[([^\]]*)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isPort = port === undefined || (Number(port) > 0 && Number(port) <= 65_535);
  if (address === undefined || (bracketed !== undefined && !isIPv6(bracketed)) || !isPort) return undefined;
  return { host: bracketed ?? decodeURIComponent(name), ...(port !== undefined && { port: Number(port) }) };
}

/**
 * `require` and `verify-ca` check as much as `verify-full`, which is more than libpq does. `allow` and `prefer` are
 * refused: an attacker on the network could switch TLS off.
 */
function readTls(parameters: Parameters, faults: string[]): DatabaseTls | false | undefined {
  const { sslmode: mode, sslrootcert: caFile, sslcert: certFile, sslkey: keyFile } = parameters;
  const files = { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
  if ((certFile === undefined) !== (keyFile === undefined)) faults.push('sslcert and sslkey must be set together');
  switch (mode) {
    case undefined:
      return Object.keys(files).length === 0 ? undefined : { verify: true, ...files };
    case 'disable':
      if (Object.keys(files).length > 0) faults.push('sslmode=disable needs no sslrootcert, sslcert and sslkey');
      return false;
    case 'require':
    case 'verify-ca':
    case 'verify-full':
      return { verify: true, ...files };
    case 'no-verify':
      return { verify: false, ...files };
    default:
      faults.push(
        'sslmode must be disable, no-verify, or require, verify-ca or verify-full, which all check the certificate and the name',
      );
      return undefined;
  }
}
