import type { FastifyReply } from 'fastify';
import type { RefusingCheck } from '../../open-banking/checks.js';
import { oauthReasons, reasonOfCode } from '../../open-banking/oauth-reasons.js';
import type { RefusalReason } from '../../open-banking/reasons.js';
import type { TooMany } from './request-limits.js';

/** An error of OAuth, as the library throws it and as an answer has it. */
export interface OAuthFault {
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
  /** An error has it that {@link withReason} made, or that the library wrapped round one. */
  readonly reason?: RefusalReason;
  readonly cause?: unknown;
}

/** States the reason of an error that the gateway throws itself, where it knows more than the error code says. */
export function withReason<Fault extends Error>(reason: RefusalReason, fault: Fault): Fault {
  return Object.assign(fault, { reason });
}

/** The reason of a refusal by OAuth. Descriptions are for the TPP: they may repeat a value, and the library changes its words. */
export function reasonOfFault({ error, reason, cause }: OAuthFault): RefusalReason {
  return reason ?? (cause as OAuthFault | undefined)?.reason ?? reasonOfCode(error);
}

const checksOfOthers: Partial<Record<RefusalReason, RefusingCheck>> = {
  'host-repeated': 'host',
  'host-foreign': 'host',
  'path-unknown': 'path',
  'method-not-allowed': 'method',
  'media-type': 'body',
  'body-too-large': 'body',
  'rate-limit': 'rate limit',
  'token-missing': 'token',
  'client-token-needed': 'token',
  'token-invalid': 'token',
  'token-expired': 'token',
  'token-issuer-unknown': 'token',
  'certificate-missing': 'token',
  'certificate-of-another': 'token',
  'tpp-not-registered': 'token',
  'tpp-suspended': 'registration',
  'consent-ended': 'consent',
  'authorisation-replaced': 'grant',
};
const checksByReason: Partial<Record<RefusalReason, RefusingCheck>> = { ...checksOfOthers, ...oauthReasons };

/** States in the context of a request why it was refused, and by which check. */
export function recordRefusal(
  context: { reason: RefusalReason | undefined; refusedBy: RefusingCheck | undefined },
  reason: RefusalReason,
): void {
  context.reason = reason;
  context.refusedBy = checksByReason[reason];
}

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
