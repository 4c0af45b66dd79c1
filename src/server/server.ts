import type { Server as HttpsServer } from 'node:https';
import { fastify, type FastifyBaseLogger, type FastifyInstance, type RouteOptions } from 'fastify';
import { BootError } from '../config/boot-error.js';
import type { ListenerTls } from '../security/listener-tls.js';
import type { ErrorResponder } from './error-responder.js';
import { otherMethods, routeEveryMethod } from './other-methods.js';
import { declarationOf } from '../endpoint/request-context.js';
import { applyApiDefaults, listenerOptions, serverOptions } from './api-defaults.js';
import { envelope, selfLink } from '../endpoint/envelope.js';
import type { RequestEntry } from './request-entry.js';
import { compileSerialiser } from '../endpoint/serialiser.js';

/** Characters. */
const longAnswer = 4 * 1024;

/**
 * The TPPs' HTTP server, before Nest puts its routes on it. Its requests enter through {@link RequestEntry}, with which
 * the server is decorated once Nest has made the checks.
 */
export function createServer(logger: FastifyBaseLogger, errors: ErrorResponder, tls?: ListenerTls): FastifyInstance {
  const server = fastify({
    ...serverOptions(logger, errors, 'access'),
    ...listenerOptions(tls),
    // A URL that cannot be decoded reaches no hook: it gets the answer of an unknown path, token check included.
    frameworkErrors: (_error, request, reply) => {
      server.entry.refuseUrl(request, reply, (fault) => errors.respond(fault, request, reply));
    },
  });

  tls?.servedBy(server.server as HttpsServer);
  for (const name of [
    'interactionId',
    'baseUrl',
    'token',
    'grant',
    'account',
    'filter',
    'pageLinks',
    'coreSignal',
    'response',
    'unattended',
  ] as const)
    server.decorateRequest(name, undefined as never);

  server.addHook('onRequest', (request, reply, done) => server.entry.admit(request, reply, done));
  server.addHook('onRoute', (route) => {
    if (route.config?.declaration?.kind === 'resource')
      route.serializerCompiler = ({ schema }) => compileSerialiser(schema);
  });
  server.addHook('preSerialization', (request, _reply, payload, done) => {
    const declaration = declarationOf(request);
    if (declaration?.kind !== 'resource') return done(null, payload);
    const self = selfLink(request.baseUrl, declaration.path, request.account?.accountId);
    done(null, envelope(declaration.collection, payload, self, request.pageLinks));
  });
  server.addHook('onSend', (_request, _reply, payload, done) => {
    // As text, a long answer is measured once and copied into a buffer of three times its length.
    done(null, typeof payload === 'string' && payload.length >= longAnswer ? Buffer.from(payload) : payload);
  });
  routeEveryMethod(server);

  applyApiDefaults(server, errors);
  refuseUndeclaredRoutes(server);
  return server;
}

/**
 * Fail closed: a route that says nothing of who may call it stops the boot. For every path the methods that it does not
 * have become routes of their own that answer 405, so that they pass the token check first.
 */
function refuseUndeclaredRoutes(server: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  server.addHook('onRoute', (route) => void routes.push(route));
  server.addHook('onReady', (done) => {
    const undeclared = routes
      .filter((route) => route.config?.declaration === undefined)
      .map((route) => `${String(route.method)} ${route.url}`);
    done(
      undeclared.length > 0
        ? new BootError(
            `routes without a declaration: ${undeclared.join(', ')}; declare each endpoint or make it public`,
          )
        : undefined,
    );
  });
  const refuseOtherMethods = otherMethods(server, (allow) => ({
    schema: { hide: true },
    config: { declaration: { kind: 'method-not-allowed', allow } },
    handler: () => {
      throw new Error('the entry checks refuse this route');
    },
  }));
  server.decorate('refuseOtherMethods', refuseOtherMethods);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Set once Nest has made the checks, and before the server listens. */
    entry: RequestEntry;
    /** Call once, after the last route. */
    refuseOtherMethods(): void;
  }
}
