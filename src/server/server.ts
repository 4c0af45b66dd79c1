import type { FastifyInstance, RouteOptions } from 'fastify';
import { BootError } from '../config/boot-error.js';
import { envelope, selfLink } from '../endpoint/envelope.js';
import type { ApiVersion } from '../endpoint/api-version.js';
import type { PublicRoute } from '../endpoint/route-declaration.js';
import { compileSerialiser } from '../endpoint/serialiser.js';
import { methodNotAllowed } from '../open-banking/common-errors.js';
import type { ListenerTls } from '../security/tls/listener-tls.js';
import type { ErrorResponder } from './error-responder.js';
import { createHttpServer } from './http-server.js';
import { compiledOnce } from './compiled-once.js';
import { acceptJsonBodies } from './json-bodies.js';
import type { Recording } from './recording.js';
import type { RequestEntry } from './request-entry.js';
import { otherMethods } from './routes.js';

/**
 * The TPPs' HTTP server, before Nest puts its routes on it. Its requests enter through {@link RequestEntry}, with which
 * the server is decorated once Nest has made the checks.
 */
export function createServer(
  recording: Recording,
  errors: ErrorResponder,
  tls: ListenerTls | undefined,
  versions: readonly ApiVersion[],
): FastifyInstance {
  const server = createHttpServer({
    ...recording,
    listener: 'api',
    tls,
    errorNames: errors.errorNames,
    record: 'access',
    enter: (request, reply, done) =>
      void server.entry
        .admit(request, reply)
        .then(() => done())
        .catch(done),
    respond: (error, request, reply) => errors.respond(error, request, reply),
    observe: (event, request) => server.entry.observe(event, request),
  });
  acceptJsonBodies(server);
  server.decorate('versions', versions);
  declareMountedRoutes(server);
  answerInEnvelope(server);
  refuseUndeclaredRoutes(server);
  return server;
}

/**
 * Gives each path of a handler that serves several versions the declaration and the schema of its version. A path of a
 * version that the bank does not serve gets none: it is answered as an unknown path.
 */
function declareMountedRoutes(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const mounted = route.config?.mounted?.get(route.url);
    if (mounted === undefined) return;
    const { version } = mounted.declaration;
    if (version !== undefined && !server.versions.includes(version)) {
      route.config = { isUnserved: true };
      route.schema = { hide: true };
      return;
    }
    route.config = { declaration: mounted.declaration };
    route.schema = mounted.schema;
  });
}

const serialiserOf = compiledOnce(compileSerialiser);

function answerInEnvelope(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (route.config?.declaration?.kind === 'resource') route.serializerCompiler = ({ schema }) => serialiserOf(schema);
    const kind = route.config?.declaration?.kind;
    if (kind !== 'consents' && kind !== 'events' && kind !== 'funds-check') return;
    // A check answers with the faults of its form and of its terms together.
    if (kind === 'consents') route.attachValidation = true;
    if (route.method !== 'GET') route.preValidation = (request, reply) => server.entry.admitAfterBody(request, reply);
  });
  server.addHook('preSerialization', (request, _reply, payload, done) => {
    const { declaration } = request;
    if (declaration?.kind !== 'resource') return done(null, payload);
    const { form, path } = declaration;
    const { context } = request;
    const self = selfLink(context.linkBase(), path, context.account?.accountId);
    done(null, envelope(form.collection, payload, self, context.links));
  });
}

/**
 * Fail closed: a route that does not declare its callers stops the boot. Every path gets a route for each method that it
 * lacks, which answers 405: after the token check, where the path needs a token.
 */
function refuseUndeclaredRoutes(server: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  server.addHook('onRoute', (route) => void routes.push(route));
  server.addHook('onReady', (done) => {
    const undeclared = routes
      .filter(({ config }) => config?.declaration === undefined && config?.isUnserved !== true)
      .map((route) => `${String(route.method)} ${route.url}`);
    done(
      undeclared.length > 0
        ? new BootError(
            `routes without a declaration: ${undeclared.join(', ')}; declare each endpoint or make it public`,
          )
        : undefined,
    );
  });
  const refuseOtherMethods = otherMethods(server, (allow, url) => {
    const { declaration: declared, isUnserved } = routes.find((route) => route.url === url)?.config ?? {};
    if (isUnserved) return { schema: { hide: true }, config: { isUnserved }, handler: unreached };
    if (declared?.kind === 'public') return refusalWithoutToken(allow, declared);
    const { name = url, version } = declared ?? {};
    return {
      schema: { hide: true },
      config: { declaration: { name, ...(version && { version }), kind: 'method-not-allowed', allow } },
      handler: unreached,
    };
  });
  server.decorate('refuseOtherMethods', refuseOtherMethods);
}

/** A public path needs no token, so 401 would mislead. Refuses before a body is read. */
function refusalWithoutToken(
  allow: string,
  declaration: PublicRoute,
): Pick<RouteOptions, 'handler' | 'config' | 'schema' | 'onRequest'> {
  return {
    schema: { hide: true },
    config: { declaration },
    onRequest: (request, _reply, done) => {
      request.context.check = 'method';
      done(methodNotAllowed(allow));
    },
    handler: unreached,
  };
}

function unreached(): never {
  throw new Error('the checks before this route refuse each request for it');
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path belongs to a version that the bank does not serve. */
    isUnserved?: true;
  }
  interface FastifyInstance {
    /** Set once Nest has made the checks, and before the server listens. */
    entry: RequestEntry;
    /** The versions of the API that the bank serves, the oldest first. */
    versions: readonly ApiVersion[];
    /** Call once, after the last route. */
    refuseOtherMethods(): void;
  }
}
