import { constants } from 'node:os';
import { isCustomerAuthenticationUnavailable } from '../../packages/customer-authentication/customer-authentication.js';
import { freeText } from '../open-banking/free-text.js';
import { SystemUnreachable } from '../outgoing/system-unreachable.js';

/** The members of an error and of its causes that the log may show, and those that lead to the causes. */
interface CarriedError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  /** Set by Prisma where its driver failed. */
  readonly meta?: { readonly driverAdapterError?: unknown };
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly syscall?: unknown;
  readonly address?: unknown;
  readonly hostname?: unknown;
  readonly host?: unknown;
  readonly port?: unknown;
  readonly issuer?: unknown;
  readonly status?: unknown;
}

/** An error as its code, its place and its causes: never with the words of another system. */
export type FaultRecord = Readonly<Record<string, string | number>>;

const late = new Set(['TimeoutError', 'AbortError']);
/** How codes of undici, of Node's TLS and HTTP, and of OpenSSL begin, for failures of a connection. */
const connectionCodes = ['UND_ERR_', 'ERR_TLS_', 'ERR_SSL_', 'ERR_HTTP2_', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_'].concat(
  ['CERT_', 'DEPTH_ZERO_', 'SELF_SIGNED_', 'UNABLE_TO_'],
);
/**
 * Classes of SQLSTATE that a database may answer to a correct statement: connection, authorisation, transaction, resources,
 * operator, system.
 */
const databaseClasses = new Set(['08', '25', '28', '3D', '40', '53', '55', '57', '58']);
/** Prisma's code for a transaction that did not start or end in time. */
const transactionLate = 'P2028';

/**
 * The part of an error that the log may show: its kind, its code and its place. A message only where it is the gateway's own:
 * the message of a database or a library may quote data. The stack is shown only where the error may be a bug.
 */
export function faultRecord(error: unknown): FaultRecord {
  if (!isError(error)) return { fault: typeof error };
  const chain = chainOf(error);
  const [, cause] = chain;
  return {
    fault: freeText(error.name),
    ...(isError(cause) && { cause: freeText(cause.name) }),
    // The innermost cause knows best.
    ...(Object.assign({}, ...chain.map(fieldsOf)) as FaultRecord),
    ...detailOf(chain),
    ...(!isSystemUnreachable(error) && { stack: stackWithoutMessage(error) }),
  };
}

/** Whether another system did not answer, such as the database: then the error is not a bug of the gateway. */
function isSystemUnreachable(error: unknown): boolean {
  return isError(error) && chainOf(error).some((carried) => isOwn(carried) || isUnreachable(carried));
}

/** Which system did not answer; `undefined` where the error is a fault of the gateway. */
export function unreachableSystem(error: unknown): 'database-unreachable' | 'issuer-unreachable' | undefined {
  if (!isError(error) || !isSystemUnreachable(error)) return undefined;
  return chainOf(error).some(({ name }) => name === 'IssuerUnreachable')
    ? 'issuer-unreachable'
    : 'database-unreachable';
}

/** The shortest form, for a line of text. */
export function faultCode(error: unknown): string | number {
  const { code, fault } = faultRecord(error);
  return code ?? fault ?? 'unknown';
}

/** Also one of another realm, in which a test may run. Prisma's errors have another tag. */
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

function chainOf(error: Error): readonly CarriedError[] {
  const chain: CarriedError[] = [];
  let next: unknown = error;
  while (typeof next === 'object' && next !== null && chain.length < 6) {
    const carried: CarriedError = next;
    chain.push(carried);
    next = carried.cause ?? carried.meta?.driverAdapterError ?? carried.errors?.[0];
  }
  return chain;
}

const isOwn = (carried: CarriedError): boolean =>
  carried instanceof SystemUnreachable || isCustomerAuthenticationUnavailable(carried);

function fieldsOf(carried: CarriedError): FaultRecord {
  const { address, hostname = carried.host, port, syscall } = carried;
  const code = codeOf(carried);
  const host = address ?? hostname;
  return {
    ...(code !== undefined && { code }),
    ...(typeof syscall === 'string' && isWord(syscall) && { syscall }),
    ...(typeof host === 'string' && { host: freeText(host) }),
    ...(typeof port === 'number' && { port }),
    ...(isOwn(carried) && typeof carried.issuer === 'string' && { issuer: freeText(carried.issuer) }),
    ...(isOwn(carried) && typeof carried.status === 'number' && { status: carried.status }),
  };
}

/** The gateway's own words, of the outermost error that has them. */
function detailOf(chain: readonly CarriedError[]): FaultRecord {
  const message = chain.find(isOwn)?.message;
  return typeof message === 'string' ? { detail: freeText(message) } : {};
}

/** A code of a library is one word. Any other text may be data. */
function codeOf({ code, originalCode = code }: CarriedError): string | undefined {
  return typeof originalCode === 'string' && isWord(originalCode) ? originalCode : undefined;
}

const isWord = (text: string): boolean => /^\w{1,60}$/.test(text);

function isUnreachable(carried: CarriedError): boolean {
  const code = codeOf(carried) ?? '';
  return (
    late.has(String(carried.name)) ||
    // Node's own errors of a network or a disk.
    typeof carried.syscall === 'string' ||
    Object.hasOwn(constants.errno, code) ||
    connectionCodes.some((beginning) => code.startsWith(beginning)) ||
    (code.length === 5 && databaseClasses.has(code.slice(0, 2))) ||
    code === transactionLate
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
