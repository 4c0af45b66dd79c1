import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { ListenerName, RequestEvent } from '../trail/event.js';
import type { Trail } from '../trail/trail.js';
import { bytesOf } from './request-event.js';

/** With `TRAIL_FAULT=refuse`: the end of a request whose event is in the trail already. */
export function leaveSent(trail: Trail, { id, status, lastByteMs = 0 }: RequestEvent, reply: FastifyReply): void {
  const isGone = status === 499;
  trail.record({
    kind: 'sent',
    id,
    at: new Date(trail.nowMs()).toISOString(),
    lastByteMs,
    ...(!isGone && { bytes: bytesOf(reply.request.method, reply) }),
    ...(isGone && { status }),
  });
}

/** The client closed the connection itself, as a balancer does that only looks whether the port is open. */
const closedByClient = 'ECONNRESET';

/** A connection that TLS refused: it brought no request. */
export function leaveRefusedTls({ trail, listener }: { trail: Trail; listener: ListenerName }, code = 'unknown'): void {
  if (code === closedByClient) return;
  const at = new Date(trail.nowMs()).toISOString();
  trail.record({ kind: 'request', id: randomUUID(), at, listener, reason: 'tls-refused', saw: { tls: code } });
}
