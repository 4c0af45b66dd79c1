import { randomUUID } from 'node:crypto';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { TLSSocket, TlsOptions } from 'node:tls';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import type { AccessRecord } from '../observability/access-record.js';
import type { RequestSpan, Tracing } from '../observability/tracing.js';
import { pathUnknown } from '../open-banking/common-errors.js';
import { RequestContext } from '../request/request-context.js';
import type { ListenerTls } from '../security/tls/listener-tls.js';
import { tracedRequest } from './access-log.js';
import { trackAnswer, refuseBrokenHttp, type BrokenHttpAnswer } from './broken-http.js';
import { readInteractionId } from './headers.js';
import { routeEveryMethod } from './routes.js';

/** The options of every listener. */
export const httpOptions: ServerOptions & Pick<TlsOptions, 'handshakeTimeout'> = {
  /** Milliseconds for the handshake of TLS, however often bytes come. */
  handshakeTimeout: 10_000,
  /** Milliseconds for a whole request, headers and body: a slower sender holds a connection for nothing. */
  requestTimeout: 30_000,
  /** Longer than the balancers before it keep theirs, so that none meets one that just closed. */
  keepAliveTimeout: 72_000,
  /** Room for a token and an AccountId as long as Node's default limit: such an account was not selected either. */
  maxHeaderSize: 32 * 1024,
  /** Node's own refusal would have neither a body nor an interaction id: headers.ts refuses instead. */
  requireHostHeader: false,
};

/** Answers an error that no route answered itself. */
export type Respond = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** The way in. Calls `done`, with the reason where the request is refused; or answers itself and does not call it. */
export type Enter = (request: FastifyRequest, reply: FastifyReply, done: (fault?: Error) => void) => void;

export interface HttpServerParts extends BrokenHttpAnswer {
  readonly tls: ListenerTls | undefined;
  readonly enter: Enter;
  readonly respond: Respond;
  /** The access record of a request that is over; `undefined` where it leaves none. */
  readonly accessOf: (request: FastifyRequest, reply: FastifyReply) => AccessRecord | undefined;
  /** Called with each access record, before the log has it. */
  readonly observe?: (access: AccessRecord, request: FastifyRequest, reply: FastifyReply) => void;
  readonly options?: Pick<FastifyServerOptions, 'routerOptions'>;
  /** Makes the server, where the port serves more than these routes. */
  readonly serverFactory?: (handler: RequestListener) => Server;
  /** Absent where no traces are taken. */
  readonly tracing?: Tracing | undefined;
}

/**
 * Every server of the gateway begins here: the TPPs', the bank's, and the two of the authorization server. Each request,
 * whatever becomes of it, gets an interaction id (the check "interaction id") and one access record, and each error one
 * answer, in which 404, 405 and 421 are no exception.
 */
export function createHttpServer(parts: HttpServerParts): FastifyInstance {
  const { tls, enter, respond, serverFactory, tracing } = parts;
  const receive: Enter = (request, reply, done) => {
    begin(request, reply);
    const span = tracing?.begin(tracedRequest(request));
    request.context.trace = span;
    trackAnswer(reply, () => leaveRecord(parts, request, reply, span));
    enter(request, reply, done);
  };
  const server = fastify<Server>({
    ...serverOptions(parts),
    ...(serverFactory ? { serverFactory } : listenerOptions(tls)),
    ...parts.options,
    // A URL that cannot be decoded reaches no hook: it is an unknown path, and passes the same checks.
    frameworkErrors: (_error, request, reply) =>
      receive(request, reply, (fault) => respond(fault ?? pathUnknown(), request, reply)),
  });
  tls?.servedBy(server.server as HttpsServer);
  // Node has https pass these on as faults of HTTP: an answer would wait for the end of the handshake that has failed.
  server.server.prependListener('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  // Before its first request, so that every request object has the same shape.
  server.decorateRequest('context', undefined as never);
  server.decorate('respond', respond);
  // An unknown expectation is not refused: Node's own refusal would have no interaction id.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  routeEveryMethod(server);
  server.addHook('onRequest', receive);
  server.setErrorHandler(respond);
  server.setNotFoundHandler((request, reply) => respond(pathUnknown(), request, reply));
  return server;
}

function begin(request: FastifyRequest, reply: FastifyReply): void {
  const interactionId = readInteractionId(request) ?? randomUUID();
  request.context = new RequestContext(interactionId, reply.raw, request.raw.asksForCertificate === true);
  void reply.header('x-fapi-interaction-id', interactionId);
  // No cache may keep account information.
  void reply.header('cache-control', 'no-store');
}

function leaveRecord(
  { accessOf, observe, record, log }: HttpServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  span: RequestSpan | undefined,
): void {
  const access = accessOf(request, reply);
  if (access === undefined) return;
  span?.end(access);
  observe?.(access, request, reply);
  log.info({ [record]: access });
}

/** HTTPS where the listener ends TLS itself. */
function listenerOptions(tls: ListenerTls | undefined): object {
  return tls === undefined ? { http: httpOptions } : { https: { ...httpOptions, ...tls.options } };
}

function serverOptions(broken: BrokenHttpAnswer): FastifyServerOptions {
  return {
    loggerInstance: broken.log,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: the interaction id names a request in our records.
    childLoggerFactory: (logger: FastifyBaseLogger) => logger,
    bodyLimit: 64 * 1024,
    requestTimeout: httpOptions.requestTimeout ?? 0,
    exposeHeadRoutes: false,
    // A request that arrives while the listener closes is answered like any other.
    return503OnClosing: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      // Longer than a request line can be: an AccountId of any length is an account that was not selected.
      maxParamLength: 64 * 1024,
    },
    clientErrorHandler: (error, socket) => refuseBrokenHttp(error, socket, broken),
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers an error as this server does. */
    respond: Respond;
  }
}
