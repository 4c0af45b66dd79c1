import type { FastifyReply } from 'fastify';
import { reasonOfFault, refuse, type OAuthFault } from './refusal-reasons.js';
import type { TooMany } from './request-limits.js';

/** Answers a request beyond a limit, in the form of RFC 6749. */
export function tooMany(reply: FastifyReply, { description, retryAfterSeconds }: TooMany): FastifyReply {
  return sendRefusal(
    reply.code(429).headers({ 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' }),
    { error: 'temporarily_unavailable', error_description: description },
  );
}

/** Answers with an error of OAuth, and states its reason in the context of the request. */
export function sendRefusal(reply: FastifyReply, fault: OAuthFault): FastifyReply {
  refuse(reply.request.context, reasonOfFault(fault));
  return reply.send(fault);
}
