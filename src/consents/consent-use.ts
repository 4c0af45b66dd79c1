import type { FastifyReply, FastifyRequest } from 'fastify';

/** The consent under which a customer's data went out with this answer; `undefined` of every other answer. */
export function usedConsent(request: FastifyRequest, reply: FastifyReply): string | undefined {
  // Account information alone has a grant.
  return reply.statusCode === 200 && reply.raw.writableEnded ? request.grant?.consentId : undefined;
}
