import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorTable } from '../open-banking/error-table.js';
import { errorBody, OpenBankingError } from '../open-banking/errors.js';
import type { RefusalReason } from '../open-banking/reasons.js';
import { answersOn } from './in-turn.js';
import type { ErrorNamesOf } from './error-names.js';

/** The time in which a client must read the answer and close the connection. */
const lingerMs = 2_000;

/**
 * Until the request is answered, a fault of its connection is answered with its interaction id.
 * @param over called once the answer is sent or the connection is closed. Fastify's onResponse runs only after an answer
 *   that was sent; a client that has disconnected leaves a record as well.
 */
export function trackAnswer(reply: FastifyReply, over: () => void): void {
  reply.raw.reply = reply;
  reply.raw.once('close', over);
}

/** Once the answer has ended: its status, or 499 where the client disconnected before it. */
export function answeredStatus(reply: FastifyReply): number {
  return reply.request.context.brokenStatus ?? (reply.raw.writableEnded ? reply.statusCode : 499);
}

/** A request of which no head was read. */
export interface UnreadRequest {
  readonly interactionId: string;
  readonly status: number;
  readonly reason: RefusalReason;
}

export interface BrokenHttpAnswer {
  readonly errorNames: ErrorNamesOf;
  /** Called in the place of the end of a request, where no request was read. */
  readonly onUnread: (request: UnreadRequest) => void;
  /** Whether the answer has the standard's body. Default: yes. The request is undefined where its head was not read. */
  readonly hasBody?: (request: FastifyRequest | undefined) => boolean;
}

/** Connections whose broken bytes wait for the answers to the requests before them. */
const waiting = new WeakSet<Duplex>();

/**
 * Answers bytes that are not valid HTTP. They reach no route and no hook, but the answer has the standard's shape. Whole
 * requests that came before them on the connection are answered first.
 */
export function refuseBrokenHttp(error: NodeJS.ErrnoException, socket: Duplex, answer: BrokenHttpAnswer): void {
  if (!isAnswerable(error, socket)) return void socket.destroy();
  // The parser complains again about whatever follows.
  if (waiting.has(socket)) return;
  const last = answersOn(socket).at(-1);
  if (last === undefined || !last.req.complete) return refuse(error, socket, answer);
  waiting.add(socket);
  last.once('close', () => {
    if (isAnswerable(error, socket)) refuse(error, socket, answer);
  });
}

function refuse(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { errorNames, onUnread, hasBody = () => true }: BrokenHttpAnswer,
): void {
  // Where a client sent several requests at once, Node gives the socket to the answer whose turn it is.
  const reply = answersOn(socket).find((answer) => answer.socket === socket)?.reply;
  // The client would read a second answer as the rest of the first.
  if (reply?.raw.headersSent) return void socket.destroy();
  const fault = faultOf(error.code);
  const { status } = errorTable[fault.kind];
  const interactionId = reply?.request.context.interactionId ?? randomUUID();
  if (reply === undefined) onUnread({ interactionId, status, reason: fault.reason });
  else Object.assign(reply.request.context, { brokenStatus: status, error: fault.kind, reason: fault.reason });
  const body = hasBody(reply?.request) ? errorBody(fault, randomUUID(), errorNames(reply?.request)) : undefined;
  const given = reply?.getHeader('x-fapi-interaction-id');
  endWith(socket, status, typeof given === 'string' ? given : interactionId, body && JSON.stringify(body));
}

/** The client ended the connection, by a reset or in the middle of a request. */
const closedByClientCodes: readonly (string | undefined)[] = ['ECONNRESET', 'HPE_INVALID_EOF_STATE'];

/** Whether the client can still receive an answer after this fault. */
function isAnswerable(error: NodeJS.ErrnoException, socket: Duplex): boolean {
  return !closedByClientCodes.includes(error.code) && !socket.destroyed && socket.writable;
}

/** Writes the answer to the socket, because Node has no response object for a broken request. Closes the connection. */
function endWith(socket: Duplex, status: number, interactionId: string, json?: string): void {
  // A client that reads nothing or never closes its side does not keep the connection.
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(linger));
  const type = json === undefined ? '' : 'content-type: application/json; charset=utf-8\r\n';
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${type}` +
      `x-fapi-interaction-id: ${interactionId}\r\ncache-control: no-store\r\n` +
      `content-length: ${Buffer.byteLength(json ?? '')}\r\nconnection: close\r\n\r\n${json ?? ''}`,
  );
}

/** The method CONNECT. */
export const tunnelFault = Object.assign(new Error('CONNECT'), { code: 'CONNECT' });

function faultOf(code: string | undefined): OpenBankingError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new OpenBankingError('headers-too-large', {
      message: 'The request line and headers are larger than 32 KiB.',
    });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new OpenBankingError('request-timeout', {
      message: 'The request did not arrive completely in time: send it again.',
    });
  const message = `The request is not valid HTTP${faultsOfHttp[code ?? ''] ?? ''}.`;
  return new OpenBankingError('format-invalid', { message }, { reason: 'http-broken' });
}

/** Faults that a developer can fix once they are named, by the parser's codes. */
const faultsOfHttp: Readonly<Record<string, string>> = {
  CONNECT: ' for an origin server: CONNECT asks a proxy for a tunnel',
  HPE_INVALID_METHOD: ': it must begin with a method in capital letters, such as GET',
  HPE_INVALID_URL: ': percent-encode the characters of its target that are not plain ASCII',
  HPE_INVALID_CONSTANT: ': percent-encode the spaces in its target, and end the line with HTTP/1.1',
  HPE_INVALID_VERSION: ': its first line must end with HTTP/1.1 and a carriage return with a line feed',
  HPE_INVALID_HEADER_TOKEN: ': a header has a character or a line break that is not allowed there',
  HPE_INVALID_CONTENT_LENGTH: ': Content-Length must be one number of bytes',
  HPE_UNEXPECTED_CONTENT_LENGTH: ': Content-Length must be one number of bytes',
  HPE_INVALID_TRANSFER_ENCODING: ': send either Content-Length or Transfer-Encoding: chunked, and not both',
  HPE_INVALID_CHUNK_SIZE: ': a chunk of its body does not begin with its length in hexadecimal digits',
};
