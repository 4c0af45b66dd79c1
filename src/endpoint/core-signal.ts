import { getEventListeners } from 'node:events';
import type { FastifyRequest } from 'fastify';
import { RequestAbandoned } from '../core-banking/guarded-reads.js';

/** Of requests that are answered: to make one is a twelfth of the work of a request for balances (Node 20). */
const unused: AbortController[] = [];

/**
 * The one signal of everything that a request reads from the core: it ends at the deadline, which the reads share, or
 * when the connection closes before the answer is out.
 */
export function coreSignal(request: FastifyRequest, deadlineMs: number): AbortSignal {
  if (request.coreSignal !== undefined) return request.coreSignal;
  const controller = unused.pop() ?? new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(), deadlineMs);
  const { response } = request;
  response?.once('close', () => {
    clearTimeout(timer);
    if (!response.writableEnded) controller.abort(new RequestAbandoned());
    // One that has fired, or to which an adapter still listens, is never another request's.
    else if (!signal.aborted && getEventListeners(signal, 'abort').length === 0) unused.push(controller);
  });
  request.coreSignal = signal;
  return signal;
}
