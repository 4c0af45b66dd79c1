import { RequestAbandoned } from '../core-banking/guarded-reads.js';
import type { RequestContext } from './request-context.js';

/**
 * The one signal of everything that a request reads from the core: it ends at the deadline, which the reads share, or
 * when the connection closes before the answer is out.
 */
export function coreSignal(context: RequestContext, deadlineMs: number): AbortSignal {
  if (context.coreSignal !== undefined) return context.coreSignal;
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(), deadlineMs);
  const { response } = context;
  response.once('close', () => {
    clearTimeout(timer);
    if (!response.writableEnded) controller.abort(new RequestAbandoned());
  });
  context.coreSignal = signal;
  return signal;
}
