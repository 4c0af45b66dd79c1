import { randomUUID } from 'node:crypto';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { TLSSocket, TlsOptions } from 'node:tls';
import serialiserFactory from '@fastify/fast-json-stringify-compiler';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { pathUnknown, requestsAtOnce, unavailable } from '../open-banking/common-errors.js';
import type { OpenBankingError } from '../open-banking/errors.js';
import { RequestContext } from '../request/request-context.js';
import type { ListenerTls } from '../security/tls/listener-tls.js';
import { causingRequest } from '../trail/cause.js';
import {
  trackAnswer,
  refuseBrokenHttp,
  tunnelFault,
  type BrokenHttpAnswer,
  type UnreadRequest,
} from './broken-http.js';
import { readInteractionId } from './headers.js';
import { compiledOnce } from './compiled-once.js';
import { answerInTurn } from './in-turn.js';
import { recordRefusedTls, recordUnreadRequest } from './unproven-events.js';
import { answerClosed, answerIsReady, watchHandler, writeFirst, type RecordedListener } from './request-end.js';
import { routeEveryMethod } from './routes.js';
import type { TracedRequest } from '../observability/tracing.js';

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

/** No schema refers to one that was added to a server, so that one serialiser fits every server. */
const compileSerialiser = serialiserFactory()();
const serialiserOf = compiledOnce((schema: object) =>
  compileSerialiser({ schema, method: '', url: '', httpStatus: '' }),
);

/** Answers an error that no route answered itself. */
export type Respond = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** The way in. Calls `done`, with the reason where the request is refused; or answers itself and does not call it. */
export type Enter = (request: FastifyRequest, reply: FastifyReply, done: (fault?: Error) => void) => void;

export interface HttpServerParts extends Omit<BrokenHttpAnswer, 'onUnread'>, RecordedListener {
  readonly tls: ListenerTls | undefined;
  readonly enter: Enter;
  readonly respond: Respond;
  readonly options?: Pick<FastifyServerOptions, 'routerOptions'>;
  /** Makes the server, where the port serves more than these routes. */
  readonly serverFactory?: (handler: RequestListener) => Server;
}

/**
 * Every server of the gateway begins here: the TPPs', the bank's, and the two of the authorization server. Each request,
 * whatever becomes of it, gets an interaction id (the check "interaction id"), one event of the trail and one access record,
 * and each error one answer, in which 404, 405 and 421 are not an exception.
 */
export function createHttpServer(parts: HttpServerParts): FastifyInstance {
  const { tls, respond, serverFactory } = parts;
  const receive = receiver(parts);
  const server = fastify<Server>({
    ...serverOptions(parts),
    ...(serverFactory ? { serverFactory } : listenerOptions(tls)),
    ...parts.options,
    // A URL that cannot be decoded reaches no hook: it is an unknown path, and passes the same checks.
    frameworkErrors: (_error, request, reply) =>
      receive(request, reply, (fault) => respond(fault ?? pathUnknown(), request, reply)),
  });
  tls?.servedBy(server.server as HttpsServer);
  answerInTurn(server.server);
  // Node has https pass these on as faults of HTTP: an answer would wait for the end of the handshake that has failed.
  server.server.prependListener('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    socket.destroy();
    // Node ends the connection of a client whose certificate it does not accept, and says only that it was reset.
    recordRefusedTls(parts, nameOf(socket.authorizationError) ?? error.code);
  });
  // Before its first request, so that every request object has the same shape.
  server.decorateRequest('context', undefined as never);
  server.decorateRequest('declaration', undefined);
  server.decorate('respond', respond);
  // An unknown expectation is not refused: Node's own refusal would have no interaction id.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  // It reaches no route. Node would close the connection without an answer.
  server.server.on('connect', (_request, socket) => server.server.emit('clientError', tunnelFault, socket));
  routeEveryMethod(server);
  server.addHook('onRoute', watchHandler);
  server.addHook('onRequest', receive);
  server.addHook('onSend', answerIsReady);
  server.setErrorHandler(respond);
  server.setNotFoundHandler((request, reply) => respond(pathUnknown(), request, reply));
  return server;
}

/** Node's types call it an error; a server has the code of OpenSSL there. */
function nameOf(authorizationError: unknown): string | undefined {
  return typeof authorizationError === 'string' ? authorizationError : undefined;
}

/** The first step of each request. */
function receiver(parts: HttpServerParts): Enter {
  const { enter, respond, trail, tracing } = parts;
  return (request, reply, done) => {
    begin(request, reply, trail.nowMs());
    const span = tracing?.begin(tracedRequest(request));
    request.context.trace = span;
    trackAnswer(reply, () => answerClosed(parts, request, reply, span));
    if (trail.fault === 'refuse') {
      // This answer discloses nothing: it leaves although its event may be lost.
      if (trail.mustRefuse && parts.isExempt?.(request) !== true) return respond(trailUnavailable(), request, reply);
      request.context.beforeAnswer = (bytes) => writeFirst(parts, request, reply, bytes);
    }
    if (request.raw.isOneTooMany) return respond(requestsAtOnce(), request, reply);
    // A read of account information changes nothing: it needs no place for its cause.
    if (parts.listener === 'api' && request.method === 'GET') enter(request, reply, done);
    else causingRequest.run(request.context.interactionId, () => enter(request, reply, done));
  };
}

function begin(request: FastifyRequest, reply: FastifyReply, nowMs: number): void {
  const interactionId = readInteractionId(request) ?? randomUUID();
  // The answer has the id as the caller wrote it. The trail and the log have small letters, so that a search finds it.
  request.context = new RequestContext(interactionId.toLowerCase(), reply.raw, request.raw.asksForCertificate === true);
  request.context.receivedAtMs = nowMs;
  request.declaration = request.routeOptions.config.declaration;
  void reply.header('x-fapi-interaction-id', interactionId);
  // No cache may keep account information.
  void reply.header('cache-control', 'no-store');
}

function trailUnavailable(): OpenBankingError {
  return unavailable(undefined, 5, 'Nothing was changed', 'trail-unavailable');
}

/** HTTPS where the listener ends TLS itself. */
function listenerOptions(tls: ListenerTls | undefined): object {
  return tls === undefined ? { http: httpOptions } : { https: { ...httpOptions, ...tls.options } };
}

function serverOptions(parts: HttpServerParts): FastifyServerOptions {
  const broken = { ...parts, onUnread: (request: UnreadRequest) => recordUnreadRequest(parts, request) };
  return {
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: the interaction id names a request in our records.
    childLoggerFactory: (logger: FastifyBaseLogger) => logger,
    bodyLimit: 64 * 1024,
    requestTimeout: httpOptions.requestTimeout ?? 0,
    exposeHeadRoutes: false,
    schemaController: {
      compilersFactory: {
        buildSerializer:
          () =>
          ({ schema }) =>
            serialiserOf(schema as object),
      },
    },
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

/** The route as its pattern, for a span: a path or a query may hold a customer's data. */
function tracedRequest(request: FastifyRequest): TracedRequest {
  const route = request.is404 ? undefined : request.routeOptions.url;
  return {
    method: request.method,
    route: route?.replace(/:(\w+)/g, '{$1}'),
    basePath: request.declaration?.version?.basePath ?? '',
    traceparent: request.headers['traceparent'],
  };
}
