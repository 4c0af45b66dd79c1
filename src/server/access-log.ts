import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessRecord } from '../observability/access-record.js';
import { answeredStatus } from './broken-http.js';
import { errorIdOf } from './error-responder.js';
import { refusalOf } from './refusing-check.js';

/**
 * The record of a request that is over: its caller, its consent, its endpoint and its outcome. The endpoint is the route's
 * pattern: a URL, a query, a header or a body may hold a customer's data and is never logged.
 */
export function accessRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  tpp = request.token?.tpp,
  endpoint = endpointOf(request),
): AccessRecord {
  const status = answeredStatus(reply);
  return {
    tpp: tpp?.clientId,
    issuer: tpp?.issuer,
    consentId: request.grant?.consentId ?? request.token?.consentId ?? consentInPath(request),
    acr: request.token?.acr,
    interactionId: request.interactionId,
    method: request.method,
    endpoint,
    unattended: request.unattended?.outcome,
    status,
    ignoredParameters: request.ignoredParameters,
    errorId: status < 500 ? undefined : errorIdOf(reply),
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
  };
}

/** The record of a request to the TPPs' API, which also names the check that refused it. */
export function apiAccessRecord(request: FastifyRequest, reply: FastifyReply): AccessRecord {
  const access = accessRecord(request, reply);
  return access.status < 400 ? access : { ...access, ...refusalOf(request, reply) };
}

/** The pattern of the route; `undefined` where the request met none. */
export function endpointOf(request: FastifyRequest): string | undefined {
  return request.is404 ? undefined : request.routeOptions.url;
}

/** Only an id as we make them: a path can hold anything. */
function consentInPath(request: FastifyRequest): string | undefined {
  const params = (request.params ?? {}) as { ConsentId?: string; consentId?: string };
  const id = params.ConsentId ?? params.consentId;
  return id !== undefined && /^aac-[0-9a-f-]{36}$/.test(id) ? id : undefined;
}
