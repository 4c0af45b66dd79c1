import type { FastifyRequest } from 'fastify';
import type { OperatorEvent } from '../trail/operator-event.js';
import type { RequestEvent } from '../trail/event.js';

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
  const { id, at, issuer, tpp, consent } = event;
  const outcome = outcomeOf(event);
  // A caller that has gone is not a reason of an act that was done.
  const reason = outcome === 'done' ? undefined : event.reason;
  return {
    kind: 'operator',
    id,
    at,
    command: operationId,
    by: bankCaller ?? 'unknown',
    outcome,
    ...act,
    ...(reason !== undefined && { reason }),
    target: { issuer, tpp, ...(consent !== undefined && { consent }), ...act?.target },
    interactionId: id,
  };
}

/** By the answer that was made, whether or not the caller was still there to receive it. */
function outcomeOf({ status = 0, unsentStatus = status }: RequestEvent): OperatorEvent['outcome'] {
  return unsentStatus < 400 ? 'done' : unsentStatus < 499 ? 'refused' : 'failed';
}
