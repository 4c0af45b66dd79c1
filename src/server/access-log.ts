import type { RequestEvent } from '../trail/event.js';

/** The log's record of a request that is over: some members of its event, under the names that docs/runbook.md publishes. */
export function accessRecord(event: RequestEvent): object {
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
    coresAway: event.coresAway,
    // The log has no record of a refusal that this id could lead to.
    errorId: status < 500 ? undefined : errorId,
    durationMs: event.lastByteMs,
  };
}
