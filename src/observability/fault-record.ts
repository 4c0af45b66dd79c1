import { freeText } from '../open-banking/free-text.js';

/** Members that an error may have in addition to its message. The code below decides which of them the log may show. */
interface Carried {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  /** Set by Prisma where its driver failed. */
  readonly meta?: { readonly driverAdapterError?: unknown };
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly kind?: unknown;
  readonly address?: unknown;
  readonly hostname?: unknown;
  readonly host?: unknown;
  readonly port?: unknown;
  readonly issuer?: unknown;
  readonly status?: unknown;
}

/** An error as its code, its place and its causes: never with the words of another system. */
export type FaultRecord = Readonly<Record<string, string | number>>;

/** The gateway's own errors for an unreachable system. Their messages are ours, and they are never bugs. */
const away = new Set([
  'IssuerUnreachable',
  'OutgoingFault',
  'DocumentUnavailable',
  'NotPublic',
  'CustomerAuthenticationUnavailable',
  'UnusableServer',
]);
const late = new Set(['TimeoutError', 'AbortError']);
/** The codes of Node, OpenSSL and undici for failures of a network or a disk. */
const networkCode =
  /^(E(?!RR_)[A-Z0-9_]+|UND_ERR_(?!INVALID)\w+|ERR_(TLS|SSL|SOCKET|STREAM_PREMATURE|HTTP2)_\w+|HPE_\w+|(CERT|DEPTH|SELF|UNABLE)_\w+)$/;
const sqlState = /^(?=.*\d)(?!P[1-9])[0-9A-Z]{5}$/;
/** Connection, authorisation, transaction, resources, operator, system: a database may answer these to a correct statement. */
const databaseAway = /^(08|25|28|3D|40|53|55|57|58)/;
const prismaCode = /^P[1-9]\d{3}$/;
/** Prisma's codes for: not reachable, timed out, no connection free, transaction lost. */
const prismaAway = /^(P1\d{3}|P2024|P2028|P2034)$/;
/** Kinds of the driver adapter that are not errors of the database. */
const adapterAway = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TlsConnectionError|TooManyConnections)$/;
/** Messages of pg, whose errors have no code. */
const connectionLost =
  /^(Connection terminated|timeout (expired|exceeded when trying to connect)|Query read timeout|The server does not support SSL|There was an error establishing an SSL|Client (was closed|has encountered a connection error) and)/;

/**
 * The part of a foreign error that the log may show: its kind, its code and its place. Never its message: the message of a
 * database or a library may quote data. The stack is shown only where the error may be a bug.
 */
export function faultRecord(error: unknown): FaultRecord {
  if (!isError(error)) return { fault: typeof error };
  const chain = chainOf(error);
  const codes = Object.assign({}, ...chain.toReversed().map(codesOf)) as Record<string, string | number>;
  const [, cause] = chain;
  return {
    fault: freeText(error.name),
    ...(isError(cause) && { cause: freeText(cause.name) }),
    ...codes,
    ...(!isSystemAway(error) && { stack: stackWithoutMessage(error) }),
  };
}

/** Whether another system did not answer, such as the database: then the error is no bug of the gateway. */
export function isSystemAway(error: unknown): boolean {
  return isError(error) && chainOf(error).some(isAway);
}

/** The shortest form, for a line of text. */
export function faultCode(error: unknown): string | number {
  const { sqlState: state, errno, code, prisma, fault } = faultRecord(error);
  return state ?? errno ?? code ?? prisma ?? fault ?? 'unknown';
}

/** Also one of another realm, in which a test may run. Prisma's errors have another tag. */
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

function chainOf(error: Error): readonly Carried[] {
  const chain: Carried[] = [];
  let next: unknown = error;
  while (typeof next === 'object' && next !== null && chain.length < 6) {
    const carried: Carried = next;
    chain.push(carried);
    next = carried.cause ?? carried.meta?.driverAdapterError ?? carried.errors?.[0];
  }
  return chain;
}

function codesOf(carried: Carried): Record<string, string | number> {
  const { address, hostname, host = hostname, port, issuer, status, message } = carried;
  const codes: Record<string, string | number> = {};
  for (const code of [carried.code, carried.originalCode]) {
    if (typeof code !== 'string') continue;
    if (sqlState.test(code) && !networkCode.test(code)) codes['sqlState'] = code;
    else if (prismaCode.test(code)) codes['prisma'] = code;
    else if (networkCode.test(code)) codes[code.startsWith('E') && !code.startsWith('ERR_') ? 'errno' : 'code'] = code;
  }
  if (typeof carried.kind === 'string' && adapterAway.test(carried.kind)) codes['database'] = carried.kind;
  if (typeof message === 'string' && connectionLost.test(message)) codes['database'] = 'ConnectionLost';
  const place = address ?? host;
  if (typeof place === 'string') codes['host'] = freeText(place);
  if (typeof port === 'number') codes['port'] = port;
  if (away.has(String(carried.name))) {
    if (typeof message === 'string') codes['detail'] = freeText(message);
    if (typeof issuer === 'string') codes['issuer'] = freeText(issuer);
    if (typeof status === 'number') codes['status'] = status;
  }
  return codes;
}

function isAway({ name, message, code, originalCode, kind }: Carried): boolean {
  const isCode = (text: unknown): boolean =>
    typeof text === 'string' &&
    (networkCode.test(text) || prismaAway.test(text) || (sqlState.test(text) && databaseAway.test(text)));
  return (
    away.has(String(name)) ||
    late.has(String(name)) ||
    isCode(code) ||
    isCode(originalCode) ||
    (typeof kind === 'string' && adapterAway.test(kind)) ||
    (typeof message === 'string' && connectionLost.test(message))
  );
}

function stackWithoutMessage(error: Error): string {
  return (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line))
    .slice(0, 12)
    .map((line) => freeText(line))
    .join('\n');
}
