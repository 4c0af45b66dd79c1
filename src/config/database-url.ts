import { isIPv6 } from 'node:net';
import { BootError } from './boot-error.js';

export interface DatabaseAddress {
  /** The driver tries them in this order. One of them is the primary. */
  readonly servers: readonly DatabaseServer[];
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  /** The schema that Prisma uses; `public` where it is not set. */
  readonly schema?: string;
  /** Options of the session, as `psql` takes them. */
  readonly options: string;
  readonly applicationName: string;
  readonly connectTimeoutMs?: number;
  /** Set where a read-only primary is as unusable as a standby. */
  readonly readWrite: boolean;
  /** `undefined`: the environment variable PGSSLMODE decides. */
  readonly tls?: DatabaseTls | false;
}

export interface DatabaseServer {
  /** A name, an address, or the folder of a Unix socket. Without it the driver uses its default. */
  readonly host?: string;
  readonly port?: number;
}

interface DatabaseTls {
  /** Whether the driver checks the server's certificate and name. */
  readonly verify: boolean;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** Each works as libpq describes it, except `sslmode`: see `readTls`. */
const known = [
  'schema',
  'options',
  'application_name',
  'connect_timeout',
  'target_session_attrs',
  'host',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
] as const;
type Parameter = (typeof known)[number];
type Parameters = Readonly<Partial<Record<Parameter, string>>>;

const form = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^@/?#]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;

/**
 * Reads `postgresql://user:password@host1:5432,host2:5432/database?parameter=value`.
 * @param setting its name, for the message
 * @throws BootError that names the fault in one line, without a value: the value may be the password
 */
export function readDatabaseUrl(text: string, setting: string): DatabaseAddress {
  const faults: string[] = [];
  const [whole, credentials = '', hosts = '', database = '', query = ''] = decodable(text)
    ? (form.exec(text) ?? [])
    : [];
  const parameters = readParameters(query, faults);
  const servers = parameters.host?.startsWith('/') ? [{ host: parameters.host }] : readServers(hosts);
  if (whole === undefined || servers === undefined)
    throw new BootError(
      `${setting} names no PostgreSQL: write it as postgresql://user:password@host:5432/database, ` +
        'with commas between several hosts, and with each character of the password that is no letter or digit escaped, such as %40.',
    );
  if (parameters.host !== undefined && !parameters.host.startsWith('/'))
    faults.push('host must be the folder of a Unix socket: other hosts belong before the database');
  const seconds = parameters.connect_timeout;
  if (seconds !== undefined && !/^[1-9]\d{0,3}$/.test(seconds)) faults.push('connect_timeout must be whole seconds');
  const target = parameters.target_session_attrs ?? 'primary';
  if (target !== 'read-write' && target !== 'primary')
    faults.push('target_session_attrs must be read-write or primary: the gateway writes');
  const tls = readTls(parameters, faults);
  if (faults.length > 0) throw new BootError(`${setting}: ${faults.join('; ')}.`);

  const [user = '', password] = split(credentials).map(decodeURIComponent);
  return {
    servers,
    ...(user !== '' && { user }),
    ...(password !== undefined && { password }),
    ...(database !== '' && { database: decodeURIComponent(database) }),
    ...(parameters.schema !== undefined && { schema: parameters.schema }),
    options: parameters.options ?? '',
    applicationName: parameters.application_name ?? 'account-information-gateway',
    ...(seconds !== undefined && { connectTimeoutMs: Number(seconds) * 1_000 }),
    readWrite: target === 'read-write',
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
    if (!known.some((one) => one === name))
      faults.push(`${shown} is not known to the gateway (known are ${known.join(', ')})`);
    if (name in parameters) faults.push(`${shown} is there twice`);
    if (value === '') faults.push(`${shown} has no value`);
    parameters[name] = value;
  }
  return parameters;
}

/** `undefined` where one of the parts is not a server. */
function readServers(hosts: string): DatabaseServer[] | undefined {
  if (hosts === '') return [{}];
  const servers = hosts.split(',').map((text): DatabaseServer | undefined => {
    const [whole, bracketed, name = '', port] = /^(?:\[([^\]]*)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
    const isPort = port === undefined || (Number(port) > 0 && Number(port) <= 65_535);
    if (whole === undefined || (bracketed !== undefined && !isIPv6(bracketed)) || !isPort) return undefined;
    return { host: bracketed ?? decodeURIComponent(name), ...(port !== undefined && { port: Number(port) }) };
  });
  return servers.every((server) => server !== undefined) ? servers : undefined;
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
