import { OpenBankingError } from './errors.js';
import type { RefusalReason } from './reasons.js';

/** After these seconds a caller may ask a system again that did not answer. */
export const retryAfterSeconds = 5;

/**
 * 503 with the seconds after which a retry is useful.
 * @param outcome the known result of the request
 * @param reason which system did not answer
 */
export function unavailable(
  cause: unknown,
  afterSeconds = retryAfterSeconds,
  outcome = 'Nothing was changed',
  reason: RefusalReason = 'database-unreachable',
): OpenBankingError {
  return new OpenBankingError(
    'unavailable',
    { message: `The bank's systems cannot answer now. ${outcome}; retry after ${afterSeconds} s.` },
    { cause, headers: { 'retry-after': String(afterSeconds) }, reason },
  );
}

/** The bank delivers its data some times a day: a TPP that asks sooner learns nothing new. */
const staleRetrySeconds = 900;

/** 503: the data are there, and too old to be shown. */
export function stale(cause: unknown): OpenBankingError {
  return new OpenBankingError(
    'stale',
    {
      message:
        "The bank's data are too old to be shown, and newer ones have not arrived yet. Nothing was changed; " +
        `retry after ${staleRetrySeconds} s.`,
    },
    { cause, headers: { 'retry-after': String(staleRetrySeconds) } },
  );
}

/** 429: too many reads of this caller are under way. */
export function tooManyReads(retryAfterSeconds: number): OpenBankingError {
  return new OpenBankingError(
    'too-many-requests',
    {
      message:
        "Too many of your requests wait for the bank's systems already. Send fewer at a time; " +
        `retry after ${retryAfterSeconds} s.`,
    },
    { headers: { 'retry-after': String(retryAfterSeconds) }, reason: 'reads-waiting' },
  );
}

/** 429: the caller did not wait for the answers to its earlier requests on the connection, which closes. */
export function requestsAtOnce(): OpenBankingError {
  return new OpenBankingError(
    'too-many-requests',
    {
      message:
        'A connection may have one request under way and one that waits. Nothing was changed, and ' +
        'nothing after this request was read: send it again on another connection.',
    },
    { headers: { 'retry-after': '1', connection: 'close' }, reason: 'requests-at-once' },
  );
}

/** The core does not know the account, or does not permit access to it at present. */
export function invalidAccount(cause: unknown, reason?: RefusalReason): OpenBankingError {
  return new OpenBankingError(
    'invalid-account',
    {
      message:
        'Invalid Account: the bank does not at present permit account information of this account to be returned. ' +
        'It may become valid again: GET /accounts lists the accounts that can be read now.',
      path: 'AccountId',
    },
    { cause, ...(reason && { reason }) },
  );
}

export function unexpected(cause: unknown, reason?: RefusalReason): OpenBankingError {
  return new OpenBankingError(
    'unexpected',
    { message: 'An unexpected fault at the bank. Quote the interaction id and this Id when you report it.' },
    { cause, ...(reason && { reason }) },
  );
}

/** @param document the path of the OpenAPI document that lists the endpoints; without a version, that of the page of all */
export function pathUnknown(document = '/docs'): OpenBankingError {
  return new OpenBankingError('path-unknown', {
    message: `This path is not part of the API that the bank serves. The endpoints are listed in ${document}.`,
  });
}

export function methodNotAllowed(allow: string): OpenBankingError {
  return new OpenBankingError(
    'method-not-allowed',
    { message: `This path answers ${allow} only.` },
    { headers: { allow } },
  );
}

export function bodyTooLarge(): OpenBankingError {
  return new OpenBankingError(
    'body-too-large',
    { message: 'The request body is larger than 64 KiB.' },
    { headers: { connection: 'close' } },
  );
}

export function notJson(cause?: unknown): OpenBankingError {
  return new OpenBankingError(
    'format-invalid',
    { message: 'The body is not valid JSON in UTF-8.', field: 'body', rule: 'json-object' },
    { cause, reason: 'body-invalid' },
  );
}

/** A request that the HTTP framework refuses for a reason that has no row in the table. */
export function notReadable(cause?: unknown): OpenBankingError {
  return new OpenBankingError(
    'format-invalid',
    { message: 'The request cannot be read as HTTP/1.1.' },
    { cause, reason: 'http-broken' },
  );
}

export function mediaType(): OpenBankingError {
  return new OpenBankingError('media-type', {
    message: 'Send the body as Content-Type: application/json (UTF-8).',
    path: 'Content-Type',
    field: 'header:Content-Type',
    rule: 'media-type',
  });
}

/** RFC 9110, section 15.5.16: the answer states the codings that are read. */
export function contentCoding(): OpenBankingError {
  return new OpenBankingError(
    'media-type',
    {
      message: 'Send the body without compression and without Content-Encoding.',
      path: 'Content-Encoding',
      field: 'header:Content-Encoding',
      rule: 'uncompressed',
    },
    { headers: { 'accept-encoding': 'identity' } },
  );
}
