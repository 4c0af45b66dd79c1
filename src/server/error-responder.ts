import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FailedRead } from '../core-banking/found-records.js';
import { RequestAbandoned, TooManyReads } from '../core-banking/guarded-reads.js';
import { CoreError, type CoreErrorKind, isCoreError } from '../../packages/core-adapter/core-error.js';
import {
  bodyTooLarge,
  invalidAccount,
  mediaType,
  notJson,
  notReadable,
  pathUnknown,
  stale,
  tooManyReads,
  unavailable,
  unexpected,
} from '../open-banking/common-errors.js';
import { errorTable } from '../open-banking/error-table.js';
import { errorBody, OpenBankingError } from '../open-banking/errors.js';
import { freeText } from '../open-banking/free-text.js';
import { faultRecord } from '../observability/fault-record.js';
import { endpointOf } from './request-event.js';
import type { ErrorNamesOf } from './error-names.js';

/** The one place where an error becomes a status and a body. */
@Catch()
export class ErrorResponder implements ExceptionFilter {
  constructor(readonly errorNames: ErrorNamesOf) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.respond(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  respond(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    // The TPP has closed the connection and can receive no answer. The access record says so.
    if (error instanceof RequestAbandoned) {
      reply.hijack();
      request.raw.socket.destroy();
      return;
    }
    const fault = toOpenBankingError(error);
    const { status } = errorTable[fault.kind];
    const id = randomUUID();
    const { context } = request;
    context.error = fault.kind;
    context.reason = fault.reason;
    context.coreFault = isCoreError(error) ? error.kind : undefined;
    const body = errorBody(fault, id, this.errorNames(request));
    if (body !== undefined) context.errorId = id;
    const [{ field, rule } = {}] = fault.details;
    [context.field, context.rule] = [field, rule];
    if (status >= 500) {
      context.failedIn = context.check;
      logFault(request, fault, id);
    } else {
      // The core makes the last check itself, after all others have passed.
      context.refusedBy = isCoreError(error) ? 'access state' : context.check;
    }
    void reply.code(status).headers({ ...fault.options.headers });
    // A serialiser of a route's success answer must not touch an error.
    void reply.serializer((payload: unknown) => (typeof payload === 'string' ? payload : JSON.stringify(payload)));
    if (body === undefined) void reply.send();
    else void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
  }
}

/** In our own words only: nothing of the core's or the database's reaches a TPP. */
export function toOpenBankingError(error: unknown): OpenBankingError {
  if (error instanceof OpenBankingError) return error;
  if (isCoreError(error)) return fromCoreError(error);
  if (error instanceof TooManyReads) return tooManyReads(error.retryAfterSeconds);
  if (error instanceof HttpException) return fromStatus(error.getStatus(), error);
  if (isFastifyError(error)) return fromStatus(error.statusCode, error, error.code);
  return unexpected(error);
}

const coreErrors: Readonly<Record<CoreErrorKind, 'invalid-account' | 'unavailable' | 'stale' | 'unexpected'>> = {
  'account-not-found': 'invalid-account',
  'account-not-permitted': 'invalid-account',
  unavailable: 'unavailable',
  timeout: 'unavailable',
  'rate-limited': 'unavailable',
  'bad-record': 'unexpected',
  stale: 'stale',
};

function fromCoreError(error: CoreError): OpenBankingError {
  const kind = coreErrors[error.kind];
  const reason = `core-${error.kind}` as const;
  if (kind === 'invalid-account') return invalidAccount(error, reason);
  if (kind === 'unavailable') return unavailable(error, error.retryAfterSeconds, undefined, reason);
  if (kind === 'stale') return stale(error);
  return unexpected(error, reason);
}

function fromStatus(status: number, cause: unknown, code = ''): OpenBankingError {
  switch (status) {
    // A path that leaves the folder of a page's files (403) or is too long (414) is a path that we do not serve.
    case 403:
    case 404:
    case 414:
      return pathUnknown();
    case 413:
      return bodyTooLarge();
    case 415:
      return mediaType();
    case 400:
      return code === 'FST_ERR_BAD_URL' ? pathUnknown() : notJson(cause);
    default:
      return status >= 400 && status < 500 ? notReadable(cause) : unexpected(cause);
  }
}

/** Fastify's own errors, and a body that breaks off: a status that a foreign error brings along is not ours. */
function isFastifyError(error: unknown): error is Error & { statusCode: number; code: string } {
  const { statusCode, code } = (error ?? {}) as { statusCode?: unknown; code?: unknown };
  return error instanceof Error && typeof statusCode === 'number' && /^(FST_|ECONNRESET$)/.test(String(code));
}

/**
 * The log's side of a fault: the adapter's details and, for a bug, the stack; never the message of a foreign error. An
 * adapter writes free text: a card number in it is masked here as in an answer.
 */
function logFault(request: FastifyRequest, error: OpenBankingError, errorId: string): void {
  const { reason, cause } = error;
  const record = { interactionId: request.context.interactionId, errorId, endpoint: endpointOf(request), reason };
  if (isCoreError(cause)) {
    const core = cause instanceof FailedRead ? cause.core : undefined;
    request.log.warn(
      { ...record, core, kind: cause.kind, detail: freeText(cause.detail) },
      'the core failed a request',
    );
  } else if (cause instanceof Error) request.log.error({ ...record, ...faultRecord(cause) }, 'a request failed');
  else request.log.error(record, 'a request failed');
}
