import type { FastifyReply, FastifyRequest } from 'fastify';
import { declarationOf } from '../endpoint/route-declaration.js';
import type { AccessRecord } from '../observability/access-record.js';
import { refusalReason } from '../observability/refusal-reason.js';
import type { TracedRequest } from '../observability/tracing.js';
import { answeredStatus } from './broken-http.js';

/**
 * The record of a request that is over: its caller, its consent, its endpoint and its outcome. A URL, a query, a header or
 * a body may hold a customer's data and is never logged.
 */
export function accessRecord(request: FastifyRequest, reply: FastifyReply): AccessRecord {
  const { context } = request;
  const { token } = context;
  const tpp = token?.tpp ?? context.tpp;
  const status = answeredStatus(reply);
  return {
    tpp: tpp?.clientId,
    issuer: tpp?.issuer,
    consentId: token?.consentId ?? consentInPath(request),
    acr: token?.acr,
    interactionId: context.interactionId,
    method: request.method,
    endpoint: endpointOf(request),
    version: declarationOf(request)?.version?.name,
    unattended: context.unattended?.outcome,
    status,
    error: context.error,
    refusedBy: context.refusedBy,
    reason: refusalReason(context, status),
    ignoredParameters: context.ignoredParameters,
    coresAway: context.coresAway,
    errorId: status < 500 ? undefined : context.errorId,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
  };
}

/** The name that the route declares, or else its pattern; `undefined` where the request met no route. */
export function endpointOf(request: FastifyRequest): string | undefined {
  return declarationOf(request)?.name ?? (request.is404 ? undefined : request.routeOptions.url);
}

/** The route as its pattern, for a span: a path or a query may hold a customer's data. */
export function tracedRequest(request: FastifyRequest): TracedRequest {
  const route = request.is404 ? undefined : request.routeOptions.url;
  return {
    method: request.method,
    route: route?.replace(/:(\w+)/g, '{$1}'),
    basePath: declarationOf(request)?.version?.basePath ?? '',
    traceparent: request.headers['traceparent'],
  };
}

/** Only an id as we make them: a path can hold anything. */
function consentInPath(request: FastifyRequest): string | undefined {
  const params = (request.params ?? {}) as { ConsentId?: string; consentId?: string };
  const id = params.ConsentId ?? params.consentId;
  return id !== undefined && /^aac-[0-9a-f-]{36}$/.test(id) ? id : undefined;
}
