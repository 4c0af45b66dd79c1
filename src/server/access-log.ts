import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessRecord } from '../observability/access-record.js';
import { answeredStatus } from './broken-http.js';
import { errorIdOf } from './error-responder.js';
import { declarationOf } from '../endpoint/request-context.js';

/**
 * One record for each request: who, under which consent, what, how it ended. The path is the route's pattern: a URL,
 * a query, a header or a body may hold a customer's data and is never logged.
 */
export function accessRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  tpp = request.token?.clientId,
  endpoint = declarationOf(request) === undefined ? undefined : request.routeOptions.url,
): { readonly access: AccessRecord } {
  const status = answeredStatus(reply);
  return {
    access: {
      tpp,
      consentId: request.grant?.consentId ?? request.token?.consentId ?? consentInPath(request),
      acr: request.token?.acr,
      interactionId: request.interactionId,
      method: request.method,
      endpoint,
      unattended: request.unattended?.outcome,
      status,
      errorId: status < 500 ? undefined : errorIdOf(reply),
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    },
  };
}

function consentInPath(request: FastifyRequest): string | undefined {
  return consentIdAsMade((request.params as { ConsentId?: string } | null)?.ConsentId);
}

/** Only an id as we make them: a path can hold anything. */
export function consentIdAsMade(text: string | undefined): string | undefined {
  return text !== undefined && /^aac-[0-9a-f-]{36}$/.test(text) ? text : undefined;
}
