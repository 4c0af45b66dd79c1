import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { OpenBankingError } from '../open-banking/errors.js';
import { contentCoding, mediaType } from '../open-banking/common-errors.js';
import type { RefusalReason } from '../open-banking/reasons.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The TPP's own interaction id, as it wrote it, if it is one (RFC 4122); anything else is not echoed or logged. */
export function readInteractionId(request: { readonly headers: IncomingHttpHeaders }): string | undefined {
  const given = request.headers['x-fapi-interaction-id'];
  return typeof given === 'string' && uuid.test(given) ? given : undefined;
}

/**
 * Whether the request has more than one header of this name, which is in lower case. Node shows the first Host header and
 * the first Authorization header only; a proxy before the gateway may have read a later one.
 */
export function hasSeveral(name: string, { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let found = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index];
    if (given?.length !== name.length || given.toLowerCase() !== name) continue;
    if (found) return true;
    found = true;
  }
  return false;
}

/** The refusal of a request with more than one Host header, which comes before every other check (RFC 9112, section 3.2). */
export function hostFault(request: FastifyRequest): OpenBankingError | undefined {
  return hasSeveral('host', request.raw) ? repeated('Host', 'host-repeated') : undefined;
}

/** @param header in its usual spelling. A request must state it once. A proxy in front of the gateway may have used another value than the gateway would. */
export function repeated(header: string, reason: RefusalReason): OpenBankingError {
  return new OpenBankingError(
    'header-invalid',
    {
      message: `The request has more than one ${header} header: send one.`,
      path: header,
      field: `header:${header}`,
      rule: 'once',
    },
    { headers: { connection: 'close' }, reason },
  );
}

/**
 * The check "headers". `x-fapi-auth-date`, `x-fapi-customer-ip-address`,
 * `x-customer-user-agent` and the names of v3.1.1 are accepted unread; so are headers of other APIs.
 */
export function headerFault(request: FastifyRequest): OpenBankingError | undefined {
  const { headers } = request;
  if (headers.host === undefined && request.raw.httpVersion === '1.1')
    return new OpenBankingError(
      'header-invalid',
      { message: 'HTTP/1.1 requires a Host header.', path: 'Host', field: 'header:Host', rule: 'required' },
      { reason: 'host-missing' },
    );
  if (headers['x-fapi-interaction-id'] !== undefined && readInteractionId(request) === undefined)
    return new OpenBankingError(
      'header-invalid',
      {
        message: 'x-fapi-interaction-id must be one UUID (RFC 4122); omit it, and the gateway makes one.',
        path: 'x-fapi-interaction-id',
        field: 'header:x-fapi-interaction-id',
        rule: 'uuid',
      },
      { reason: 'interaction-id-invalid' },
    );
  if (!acceptsJson(headers.accept))
    return new OpenBankingError('not-acceptable', {
      message: 'The answer is application/json in UTF-8 and the Accept header excludes it.',
      path: 'Accept',
      field: 'header:Accept',
      rule: 'accept-json',
    });
  if (carriesBody(request)) {
    if (!isJson(headers['content-type'])) return mediaType();
    if (isCoded(headers['content-encoding'])) return contentCoding();
  } else {
    // A content type without a body says nothing: RW profile, "Request Headers" (Fastify would refuse it).
    delete headers['content-type'];
  }
  return undefined;
}

/** A POST always has a body to check, if only a missing one; a DELETE has one only when it says so. */
function carriesBody(request: FastifyRequest): boolean {
  if (request.method === 'POST') return true;
  if (request.method === 'GET') return false;
  return announcesBody(request.headers);
}

export function announcesBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** In both spellings of the charset. */
const ours = ['application/json; charset=utf-8', 'application/json; charset=utf8'];

function acceptsJson(accept: string | undefined): boolean {
  // Nearly every client sends one of these: they need no parse.
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return true;
  return new Negotiator({ headers: { accept } }).mediaType(ours) !== undefined;
}

/** The gateway decodes no body, so that none becomes larger than it was sent. */
function isCoded(contentEncoding: string | undefined): boolean {
  return !['', 'identity'].includes((contentEncoding ?? '').toLowerCase());
}

function isJson(contentType: string | undefined): boolean {
  const [type, ...parameters] = (contentType ?? '').toLowerCase().split(';');
  if (type?.trim() !== 'application/json') return false;
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || ['utf-8', '"utf-8"', 'utf8'].includes(charset.slice('charset='.length));
}
