import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { RequestSpan } from '../observability/tracing.js';
import type { AnyEvent, ListenerName, RequestEvent } from '../trail/event.js';
import { logAccess } from './access-log.js';
import { answeredStatus } from './broken-http.js';
import type { Recording } from './recording.js';
import { answerBytes, elapsedMs, headerBytes, requestEvent } from './request-event.js';

/** The parts of a listener by which it records its requests. */
export interface RecordedListener extends Recording {
  /** Its name in the trail. */
  readonly listener: ListenerName;
  /** The name of the access record. */
  readonly record: string;
  /** Corrects the event of a request. */
  readonly corrected?: (event: RequestEvent) => RequestEvent;
  /** A second event of a request, which comes before the first. */
  readonly alsoOf?: (event: RequestEvent, request: FastifyRequest) => AnyEvent | undefined;
  /** Whether the request leaves an access record and a trace. Default: yes. */
  readonly isLogged?: (event: RequestEvent, request: FastifyRequest) => boolean;
  /** Whether the request is answered although its event could not be written. Default: no. */
  readonly isExempt?: (request: FastifyRequest) => boolean;
  /** Called with the event of each request that has ended. */
  readonly observe?: (event: RequestEvent, request: FastifyRequest) => void;
}

/** Remembers each handler's work, which may last longer than the connection. Begins nothing for a caller that has gone. */
export function watchHandler(route: RouteOptions): void {
  const { handler } = route;
  route.handler = function (request, reply) {
    if (request.context.hasGone) return void reply.hijack();
    const handling: unknown = handler.call(this, request, reply);
    if (handling instanceof Promise) request.context.handling = handling;
    return handling;
  };
}

/** The answer was sent, or the caller has gone: then the request ends with its handler, which states what it did. */
export function answerClosed(
  parts: RecordedListener,
  request: FastifyRequest,
  reply: FastifyReply,
  span?: RequestSpan,
): void {
  const { context } = request;
  context.closedMs = elapsedMs(context, reply);
  context.hasGone = answeredStatus(reply) === 499;
  if (!context.hasGone || context.handling === undefined) return end(parts, request, reply, span);
  // Fastify makes the answer, which cannot be sent, right after the handler has ended.
  const afterwards = () => setImmediate(() => end(parts, request, reply, span));
  context.handling.then(afterwards, afterwards);
}

/** The request has ended: its event goes into the trail, and its renderings into the log and its trace. */
function end(parts: RecordedListener, request: FastifyRequest, reply: FastifyReply, span?: RequestSpan): void {
  const { observe, record, log, trail, isLogged } = parts;
  const { hasGone, isWritten, isProven } = request.context;
  const event = hasGone
    ? eventOf(parts, request, reply, 499)
    : eventOf(parts, request, reply, answeredStatus(reply), headerBytes(request.method, reply));
  observe?.(event, request);
  if (!isWritten) for (const each of eventsToKeep(parts, event, request)) trail.record(each, isProven);
  if (isLogged?.(event, request) === false) return;
  span?.end(event);
  logAccess(log, record, event);
}

/** With `TRAIL_FAULT=refuse`, before the answer leaves. Where the caller has gone, the event can wait for the end. */
export async function writeFirst(
  parts: RecordedListener,
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: number | undefined,
): Promise<void> {
  const { context } = request;
  if (context.hasGone || context.isWritten) return;
  context.isWritten = true;
  const event = eventOf(parts, request, reply, reply.statusCode, bytes);
  try {
    const events = eventsToKeep(parts, event, request);
    await Promise.all(events.map((each) => parts.trail.written(each, context.isProven)));
  } catch (error) {
    context.reason = 'trail-unavailable';
    if (parts.isExempt?.(request) !== true) throw error;
  }
}

function eventOf(
  { listener, corrected }: RecordedListener,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  bytes?: number,
): RequestEvent {
  const event = requestEvent(request, reply, { listener, status, bytes });
  return corrected?.(event) ?? event;
}

/** The events of the request, the second one first where it has two; none where the request is counted with others. */
function eventsToKeep(
  { alsoOf, trail }: RecordedListener,
  event: RequestEvent,
  request: FastifyRequest,
): readonly AnyEvent[] {
  if (!request.context.isProven && trail.unlessCounted(event) === undefined) return [];
  const also = alsoOf?.(event, request);
  return also === undefined ? [event] : [also, event];
}

/** The hook before an answer leaves. Where its event had to be written first, and could not be, the connection is closed instead. */
export function answerIsReady(
  { context, method }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  context.firstByteMs = elapsedMs(context, reply);
  if (context.beforeAnswer === undefined) return done(null, payload);
  context.beforeAnswer(answerBytes(method, payload)).then(
    () => done(null, payload),
    () => reply.raw.destroy(),
  );
}
