import type { FastifyBaseLogger } from 'fastify';
import type { RequestEvent } from '../trail/event.js';

/**
 * Writes the access record of a request that has ended. That of an answer below 400 is at level debug: the trail has its event, and
 * a bank that sends its log elsewhere would pay for each of them twice.
 * @param name of the record
 */
export function logAccess(log: FastifyBaseLogger, name: string, event: RequestEvent): void {
  const level = event.status !== undefined && event.status < 400 ? 'debug' : 'info';
  log[level]({ [name]: accessRecord(event) });
}

/** Some members of the event, under the names that docs/operate/trail.md publishes. */
function accessRecord(event: RequestEvent): object {
  const { status = 0, errorId } = event;
  return {
    tpp: event.tpp,
    issuer: event.issuer,
    consentId: event.consent,
    acr: event.acr,
    interactionId: event.id,
    method: event.method,
    endpoint: event.endpoint,
    version: event.apiVersion,
    unattended: event.unattended,
    status,
    error: event.error,
    refusedBy: event.refusedBy,
    reason: event.reason,
    ignoredParameters: event.ignoredParameters,
    unreachableCores: event.unreachableCores,
    // The log has no record of a refusal with this id.
    errorId: status < 500 ? undefined : errorId,
    durationMs: event.lastByteMs,
  };
}
