import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { RequestAbandoned } from '../core-banking/guarded-reads.js';
import type { ReadContext, TppReadContext } from '../core-banking/read-context.js';
import type { TppId } from '../open-banking/tpp-id.js';
import { isAttended, type RequestContext } from './request-context.js';

/** The context of all reads of a granted request, but for the customer's reference, which each core has for itself. */
export function coreContext(
  request: Pick<FastifyRequest, 'context' | 'headers'>,
  deadlineMs: number,
): Omit<ReadContext, 'customerRef'> {
  const { context, headers } = request;
  return {
    ...tppReadContext(request, deadlineMs),
    customerPresent: isAttended(headers),
    consentId: context.granted().consentId,
  };
}

/** The context of a read for a TPP that no customer has granted yet. */
export function tppReadContext({ context }: Pick<FastifyRequest, 'context'>, deadlineMs: number): TppReadContext {
  const { tpp } = context.verifiedToken();
  context.reads ??= { core: '', coreMs: 0, badRecords: 0 };
  return {
    interactionId: context.interactionId,
    signal: coreSignal(context, deadlineMs),
    tpp: opaque(tpp),
    reader: tpp.key,
    tally: context.reads,
    trace: context.trace,
  };
}

/** The TPP for the core: the same text for all its reads, from which neither issuer nor client id can be read. */
function opaque({ key }: TppId): string {
  return hash('sha256', key, 'base64url');
}

/**
 * The one signal of everything that a request reads from the core: it ends at the deadline, which the reads share, or
 * when the connection closes before the answer is out, also where it has closed before the first read.
 */
export function coreSignal(context: RequestContext, deadlineMs: number): AbortSignal {
  if (context.coreSignal !== undefined) return context.coreSignal;
  const { response } = context;
  if (response.destroyed) return (context.coreSignal = AbortSignal.abort(new RequestAbandoned()));
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), deadlineMs);
  response.once('close', () => {
    clearTimeout(timer);
    if (!response.writableEnded) controller.abort(new RequestAbandoned());
  });
  context.coreSignal = controller.signal;
  return controller.signal;
}
