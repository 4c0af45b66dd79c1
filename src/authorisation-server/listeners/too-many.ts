import type { FastifyReply } from 'fastify';
import { reasonOfCode } from '../../open-banking/oauth-reasons.js';
import type { RefusalReason } from '../../open-banking/reasons.js';
import { recordRefusal } from './refusal-reasons.js';
import type { TooMany } from './request-limits.js';

/** Answers a request beyond a limit, in the form of RFC 6749. */
export function tooMany(reply: FastifyReply, { description, retryAfterSeconds, reason }: TooMany): FastifyReply {
  return sendRefusal(
    reply.code(429).headers({ 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' }),
    { error: 'temporarily_unavailable', error_description: description },
    reason,
  );
}

/** Answers with an error of OAuth, and states its reason in the context of the request. */
export function sendRefusal(
  reply: FastifyReply,
  fault: { readonly error: string; readonly error_description: string },
  reason: RefusalReason = reasonOfCode(fault.error),
): FastifyReply {
  recordRefusal(reply.request.context, reason);
  return reply.send(fault);
}
