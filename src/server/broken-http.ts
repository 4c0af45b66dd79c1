import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { errorTable } from '../open-banking/error-table.js';
import { errorBody, OpenBankingError } from '../open-banking/errors.js';
import type { ErrorNamesOf } from './error-names.js';
import { Slots } from './slots.js';

/** So long a client has to take the answer and to close the connection. */
const lingerMs = 2_000;

const underWay = new Slots<FastifyReply>();
/** Requests that were answered past Fastify. */
const refused = new WeakMap<FastifyReply, number>();

/**
 * From now until it is answered, what breaks the connection is answered in the request's name.
 * @param over called once the answer is sent or the connection is gone: not Fastify's onResponse, which hears only of
 *   answers that went out, and a caller that has gone leaves a record as well
 */
export function trackAnswer(reply: FastifyReply, over?: () => void): void {
  const slot = underWay.enter(reply);
  reply.raw.once('close', () => {
    underWay.leave(slot);
    over?.();
  });
}

/** Once the connection has closed: the answer's status, or 499 where nobody was left to answer. */
export function answeredStatus(reply: FastifyReply): number {
  return refused.get(reply) ?? (reply.raw.writableEnded ? reply.statusCode : 499);
}

export interface BrokenHttpAnswer {
  readonly errorNames: ErrorNamesOf;
  readonly log: FastifyBaseLogger;
  /** The name of the access record. */
  readonly record: string;
  /** Whether the answer has the standard's body; not given, it has. The request is missing where none was read. */
  readonly hasBody?: (request: FastifyRequest | undefined) => boolean;
}

/**
 * Bytes that are no HTTP, or no longer, reach no route and no hook: the answer has the standard's shape all the same,
 * and the request that it answers, or else the answer itself, leaves its access record.
 */
export function refuseBrokenHttp(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { errorNames, log, record, hasBody = () => true }: BrokenHttpAnswer,
): void {
  if (!isAnswerable(error, socket)) return void socket.destroy();
  // Of several that were sent at once, Node gives the connection to the one whose turn it is.
  const reply = underWay.all().find(({ raw }) => raw.socket === socket);
  // In the middle of an answer a second one would be read as its rest.
  if (reply?.raw.headersSent) return void socket.destroy();
  const fault = faultOf(error.code);
  const { status } = errorTable[fault.kind];
  const interactionId = reply?.request.interactionId ?? randomUUID();
  if (reply === undefined) log.info({ [record]: { interactionId, status } });
  else refused.set(reply, status);
  const body = hasBody(reply?.request) ? errorBody(fault, randomUUID(), errorNames(reply?.request)) : undefined;
  endWith(socket, status, interactionId, body && JSON.stringify(body));
}

/** The client ended the connection, by a reset or in the middle of a request. */
const closedByClientCodes: readonly (string | undefined)[] = ['ECONNRESET', 'HPE_INVALID_EOF_STATE'];

/** Whether somebody is left to answer after this fault. */
function isAnswerable(error: NodeJS.ErrnoException, socket: Duplex): boolean {
  return !closedByClientCodes.includes(error.code) && !socket.destroyed && socket.writable;
}

/** Answers past the server and its response, which know nothing of what broke HTTP, and closes the connection. */
function endWith(socket: Duplex, status: number, interactionId: string, json?: string): void {
  // A client that reads nothing, or never closes its side, holds no connection.
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(linger));
  const type = json === undefined ? '' : 'content-type: application/json; charset=utf-8\r\n';
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${type}` +
      `x-fapi-interaction-id: ${interactionId}\r\ncache-control: no-store\r\n` +
      `content-length: ${Buffer.byteLength(json ?? '')}\r\nconnection: close\r\n\r\n${json ?? ''}`,
  );
}

function faultOf(code: string | undefined): OpenBankingError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new OpenBankingError('headers-too-large', {
      message: 'The request line and headers are larger than 32 KiB.',
    });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new OpenBankingError('request-timeout', {
      message: 'The request did not arrive whole in time: send it again.',
    });
  return new OpenBankingError('format-invalid', { message: 'The request is not valid HTTP.' });
}
