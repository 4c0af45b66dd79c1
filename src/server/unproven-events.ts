import { randomUUID } from 'node:crypto';
import type { ListenerName } from '../trail/event.js';
import type { Trail } from '../trail/trail.js';
import type { UnreadRequest } from './broken-http.js';
import type { RecordedListener } from './request-end.js';

/** The client closed the connection itself, as a balancer does that only looks whether the port is open. */
const closedByClient = 'ECONNRESET';

/** A connection that TLS refused: it brought no request. */
export function recordRefusedTls(
  { trail, listener }: { trail: Trail; listener: ListenerName },
  code = 'unknown',
): void {
  if (code === closedByClient) return;
  const at = new Date(trail.nowMs()).toISOString();
  trail.recordUnproven({
    kind: 'request',
    id: randomUUID(),
    at,
    listener,
    reason: 'tls-refused',
    facts: { tls: code },
  });
}

/** Bytes that are not a request. */
export function recordUnreadRequest(
  { trail, listener, log, record }: RecordedListener,
  { interactionId, status, reason }: UnreadRequest,
) {
  const at = new Date(trail.nowMs()).toISOString();
  trail.recordUnproven({ kind: 'request', id: interactionId, at, listener, status, reason });
  log.info({ [record]: { interactionId, status } });
}
