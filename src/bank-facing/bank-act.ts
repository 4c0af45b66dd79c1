import type { FastifyRequest } from 'fastify';
import type { OperatorEvent, RequestEvent } from '../trail/event.js';

/**
 * The act of the bank's systems or of an operator that a request to the bank's port asked for, refused ones too; `undefined`
 * for a request that only reads.
 */
export function bankAct(
  event: RequestEvent,
  { method, routeOptions, bankCaller, bankAct: act }: FastifyRequest,
): OperatorEvent | undefined {
  const { operationId } = (routeOptions.schema ?? {}) as { readonly operationId?: string };
  if (method === 'GET' || method === 'HEAD' || operationId === undefined) return undefined;
  const { id, at, status = 0, reason, issuer, tpp, consent } = event;
  return {
    kind: 'operator',
    id,
    at,
    command: operationId,
    by: bankCaller ?? 'unknown',
    outcome: status < 400 ? 'done' : status < 499 ? 'refused' : 'failed',
    ...act,
    ...(reason !== undefined && { reason }),
    target: { issuer, tpp, ...(consent !== undefined && { consent }), ...act?.target },
    interactionId: id,
  };
}
