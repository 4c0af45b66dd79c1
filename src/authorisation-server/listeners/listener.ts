import type { RequestListener, Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import cookie from '@fastify/cookie';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { begin, listenerOptions, serverOptions } from '../../server/api-defaults.js';
import { refuseBrokenHttp, type BrokenHttpAnswer } from '../../server/broken-http.js';
import { hasSeveralHosts } from '../../server/headers.js';
import { otherMethods, routeEveryMethod } from '../../server/other-methods.js';
import { isHostOf } from '../../server/own-host.js';
import { isHttps, strictTransport, strictTransportHeader } from '../../server/strict-transport.js';
import type { ListenerTls } from '../../security/listener-tls.js';
import { answerFault, misdirected, notAllowed, notFound } from './refusals.js';
import type { RequestRecords } from './request-records.js';

export interface ListenerParts {
  /** The origin by which callers know it. */
  readonly url: string;
  readonly tls: ListenerTls | undefined;
  readonly records: RequestRecords;
  /** Called for a fault that no caller caused. */
  readonly onFault: (error: unknown) => void;
  readonly brokenHttp: Omit<BrokenHttpAnswer, 'record'>;
  /** Refuses a request with more than one Host header, in the form that this listener's callers read. */
  readonly refuseSeveralHosts: (reply: FastifyReply) => void;
  /** Whether browsers come to it: they are told to come over HTTPS only. */
  readonly forBrowsers: boolean;
  /** Makes the server, where the port serves more than this listener's routes. */
  readonly serverFactory?: (handler: RequestListener) => Server;
}

/**
 * A listener of the authorization server, before its routes are declared. Every request leaves an access record and gets an
 * interaction id; one that was sent to another name than the listener's own reaches no route.
 */
export function createListener(parts: ListenerParts): FastifyInstance {
  const { tls, brokenHttp, serverFactory } = parts;
  const enter = entrance(parts);
  const server = fastify({
    ...serverOptions(brokenHttp.log, brokenHttp, 'access'),
    // A path is ours as it was published, and in no other spelling.
    routerOptions: {},
    ...(serverFactory ? { serverFactory } : listenerOptions(tls)),
    clientErrorHandler: (error, socket) => refuseBrokenHttp(error, socket, { ...brokenHttp, record: 'access' }),
    // A URL that cannot be decoded reaches no hook.
    frameworkErrors: (_error, request, reply) => {
      if (enter(request, reply)) notFound(reply);
    },
  });
  tls?.servedBy(server.server as HttpsServer);
  // An expectation that we do not know is not refused: Node's own refusal would have no interaction id.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  for (const name of ['interactionId', 'response'] as const) server.decorateRequest(name, undefined as never);
  routeEveryMethod(server);
  server.addHook('onRequest', (request, reply, done) => {
    if (enter(request, reply)) done();
  });
  void server.register(cookie);
  server.setNotFoundHandler((_request, reply) => notFound(reply));
  server.setErrorHandler(answerFault(parts.onFault));
  return server;
}

/**
 * Declares routes below a prefix: the one way to do so on these listeners. For the methods that a path lacks it answers 405,
 * after the hooks that `routes` adds.
 */
export function declareRoutes(
  server: FastifyInstance,
  prefix: string,
  routes: (routes: FastifyInstance) => void,
): void {
  void server.register(
    (plugin, _options, done) => {
      const refuseOtherMethods = otherMethods(plugin, notAllowed);
      routes(plugin);
      refuseOtherMethods();
      done();
    },
    { prefix },
  );
}

/** What stands before every route; false where it has answered. */
function entrance({ url, forBrowsers, records, refuseSeveralHosts }: ListenerParts) {
  const isOwnHost = isHostOf(url);
  const isStrict = forBrowsers && isHttps(url);
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    begin(request, reply);
    // Also of what the library answers past Fastify.
    reply.raw.setHeader('x-fapi-interaction-id', request.interactionId);
    if (isStrict) reply.raw.setHeader(strictTransportHeader, strictTransport);
    records.watch(request, reply);
    if (hasSeveralHosts(request.raw)) refuseSeveralHosts(reply);
    else if (!isOwnHost(request.headers.host)) misdirected(reply);
    // Only a path in origin form (RFC 9112, section 3.2.1) is one of ours.
    else if (!request.raw.url?.startsWith('/')) notFound(reply);
    else return true;
    return false;
  };
}
