import type { FastifyRequest } from 'fastify';

/**
 * The consent under which this answer sent a customer's data; `undefined` for every other answer.
 * @param status 499 where the caller had gone
 */
export function usedConsent(request: FastifyRequest, status: number | undefined): string | undefined {
  // Account information and checks of funds alone have a grant.
  return status === 200 || status === 201 ? request.context.grant?.consentId : undefined;
}
