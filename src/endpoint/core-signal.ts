import type { FastifyRequest } from 'fastify';
import { RequestAbandoned } from '../core-banking/guarded-reads.js';

/**
 * The one signal of everything that a request reads from the core: it ends at the deadline, which the reads share, or
 * when the connection closes before the answer is out.
 */
export function coreSignal(request: FastifyRequest, deadlineMs: number): AbortSignal {
  if (request.coreSignal !== undefined) return request.coreSignal;
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(), deadlineMs);
  const { response } = request;
  response?.once('close', () => {
    clearTimeout(timer);
    if (!response.writableEnded) controller.abort(new RequestAbandoned());
  });
  request.coreSignal = signal;
  return signal;
}
