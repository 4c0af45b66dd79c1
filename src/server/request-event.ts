import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAttended } from '../request/request-context.js';
import type { RequestContext } from '../request/request-context.js';
import type { ListenerName, RequestEvent } from '../trail/event.js';

/** The facts of an answer that its listener knows. */
interface Answered {
  readonly listener: ListenerName;
  /** 499 where the caller had gone. */
  readonly status: number;
  /** The length of the body. */
  readonly bytes: number | undefined;
}

/**
 * The event of a request: its caller, its consent, its endpoint, its outcome, and the facts that its checks used. A URL, a query, a
 * header or a body may hold a customer's data and is in no event.
 */
export function requestEvent(request: FastifyRequest, reply: FastifyReply, answered: Answered): RequestEvent {
  const { context, declaration, method } = request;
  const { token, reads } = context;
  const { listener, status, bytes } = answered;
  const tpp = token?.tpp ?? context.tpp;
  const event: RequestEvent = {
    kind: 'request',
    id: context.interactionId,
    at: new Date(context.receivedAtMs).toISOString(),
    listener: context.asksForCertificate ? 'tpps' : listener,
    traceparent: traceparentOf(request),
    method,
    endpoint: endpointOf(request),
    apiVersion: declaration?.version?.name,
    status,
    bytes,
    attended: declaration?.kind === 'resource' ? isAttended(request.headers) : undefined,
    unattended: context.unattended?.outcome,
    product: context.account?.product,
    rows: status === 200 ? context.rows : undefined,
    customer: context.grant?.pseudonym ?? context.asked?.customer,
    account: context.account?.pseudonym ?? context.asked?.account,
    ignoredParameters: context.ignoredParameters,
    unreachableCores: context.unreachableCores,
    facts: context.facts,
    firstByteMs: context.firstByteMs,
    lastByteMs: context.closedMs ?? elapsedMs(context, reply),
    issuer: tpp?.issuer,
    tpp: tpp?.clientId,
    by: context.by,
    consent: token?.consentId ?? consentOf(request, reply),
    acr: token?.acr,
    core: reads?.core,
    coreMs: reads && tenths(reads.coreMs),
    badRecords: reads?.badRecords === 0 ? undefined : reads?.badRecords,
  };
  const isSuccess = context.reason === undefined && context.error === undefined && status !== 499;
  return isSuccess ? event : { ...event, ...failureFacts(context, reply, status) };
}

function failureFacts(context: RequestContext, reply: FastifyReply, status: number) {
  const { error, errorId, refusedBy, failedIn, field, rule, coreFault } = context;
  const isGone = status === 499;
  return {
    // Fastify, or the library, has ended the answer, which could not be sent.
    unsentStatus: isGone && reply.raw.writableEnded ? reply.statusCode : undefined,
    reason: context.reason ?? (isGone ? 'client-gone' : undefined),
    error,
    errorId,
    refusedBy,
    failedIn,
    field,
    rule,
    coreFault,
  };
}

/** The name that the route declares, or else its pattern; `undefined` where the request met no route. */
export function endpointOf(request: FastifyRequest): string | undefined {
  return request.declaration?.name ?? (request.is404 ? undefined : request.routeOptions.url);
}

/** From the arrival of the request until now, without the time in which a poll waited for an event. */
export function elapsedMs({ wait }: RequestContext, { elapsedTime }: FastifyReply): number {
  const waitedMs = wait === undefined ? 0 : (wait.endedMs ?? performance.now()) - wait.begunMs;
  return tenths(Math.max(0, elapsedTime - waitedMs));
}

/** Milliseconds to a tenth. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** The length of a body that is about to be sent; `undefined` for a stream. */
export function answerBytes(method: string, payload: unknown): number | undefined {
  if (method === 'HEAD' || payload === undefined || payload === null) return 0;
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : undefined;
}

/** The length of the body that was sent; `undefined` where it was a stream. */
export function headerBytes(method: string, reply: FastifyReply): number | undefined {
  if (method === 'HEAD') return 0;
  // The library of the authorization server answers past Fastify.
  const length = reply.getHeader('content-length') ?? reply.raw.getHeader('content-length');
  return length === undefined ? undefined : Number(length);
}

/** The form of W3C Trace Context. Any other text may hold anything. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

function traceparentOf({ headers: { traceparent: given } }: FastifyRequest): string | undefined {
  return typeof given === 'string' && traceparent.test(given) ? given : undefined;
}

/** That of the path. Only an id as we make them: a path can hold anything. */
function consentOf(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const { by, isProven } = request.context;
  // A TPP or a customer that asks for a consent of another is refused.
  if (by === undefined && !(isProven && reply.statusCode < 400)) return undefined;
  const params = (request.params ?? {}) as { ConsentId?: string; consentId?: string };
  const id = params.ConsentId ?? params.consentId;
  return id !== undefined && /^(aac|fcc)-[0-9a-f-]{36}$/.test(id) ? id : undefined;
}
