import type { FastifyReply, FastifyRequest } from 'fastify';

/** The consent under which this answer sent a customer's data; `undefined` for every other answer. */
export function usedConsent(request: FastifyRequest, reply: FastifyReply): string | undefined {
  // Account information alone has a grant.
  return reply.statusCode === 200 && reply.raw.writableEnded ? request.context.grant?.consentId : undefined;
}
