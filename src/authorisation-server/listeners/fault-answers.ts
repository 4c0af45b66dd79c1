import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorTable } from '../../open-banking/error-table.js';
import { unreachableSystem } from '../../observability/fault-record.js';
import { toOpenBankingError } from '../../server/error-responder.js';
import type { Respond } from '../../server/http-server.js';
import { recordRefusal } from './refusal-reasons.js';

/**
 * The answers of both listeners to an error that no route answered, and to a request that no route takes: status and
 * headers of the API's error table, without a body.
 * @param onFault called for an error that no caller caused
 */
export function answerFault(onFault: (error: unknown) => void): Respond {
  return (error, request, reply) => {
    if (hasGone(request, reply)) return;
    const refusal = toOpenBankingError(error);
    const { status } = errorTable[refusal.kind];
    request.context.error = refusal.kind;
    recordRefusal(request.context, status >= 500 ? (unreachableSystem(error) ?? refusal.reason) : refusal.reason);
    if (status >= 500) onFault(error);
    void reply
      .code(status)
      .headers({ ...refusal.options.headers })
      .send();
  };
}

/** Whether the caller closed the connection before the request was complete: then there is no fault to report. */
export function hasGone({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  if (!raw.destroyed || raw.complete) return false;
  reply.hijack();
  return true;
}
