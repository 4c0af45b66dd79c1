import { RequestAbandoned } from '../core-banking/guarded-reads.js';
import type { RequestContext } from './request-context.js';

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
