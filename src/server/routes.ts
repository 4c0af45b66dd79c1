import { METHODS } from 'node:http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { methodNotAllowed } from '../open-banking/common-errors.js';

/** Makes the server route every method that Node reads, so that none is refused before our own checks. */
export function routeEveryMethod(server: FastifyInstance): void {
  for (const method of METHODS)
    if (method !== 'CONNECT' && !server.supportedMethods.includes(method)) server.addHttpMethod(method);
}

/**
 * Declares routes below a prefix. A method that a path lacks is answered with 405, after the hooks that `routes` adds.
 * @param config of the routes that answer 405
 */
export function declareRoutes(
  server: FastifyInstance,
  prefix: string,
  routes: (routes: FastifyInstance) => void,
  config: NonNullable<RouteOptions['config']> = {},
): void {
  void server.register(
    (plugin, _options, done) => {
      const refuseOtherMethods = otherMethods(plugin, (allow) => ({
        schema: { hide: true },
        config,
        handler: (request, reply) => server.respond(methodNotAllowed(allow), request, reply),
      }));
      routes(plugin);
      refuseOtherMethods();
      done();
    },
    { prefix },
  );
}

/**
 * Watches the routes that are declared from now on, here and in plugins of this server.
 * @param refusal the route that answers 405 with this `Allow` header at this path, after the checks that stand before its path
 * @returns to be called once, after the last route: gives each path such a route for the methods that it does not have
 */
export function otherMethods(
  server: FastifyInstance,
  refusal: (allow: string, url: string) => Pick<RouteOptions, 'handler' | 'config' | 'schema' | 'onRequest'>,
): () => void {
  const declared = new Map<string, Set<string>>();
  let refusing = false;
  server.addHook('onRoute', ({ method, url }) => {
    if (refusing) return;
    const methods = declared.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    declared.set(url, methods);
  });
  return () => {
    refusing = true;
    for (const [url, methods] of declared)
      server.route({
        url: url.slice(server.prefix.length) || '/',
        method: server.supportedMethods.filter((method) => !methods.has(method)),
        ...refusal([...methods].join(', '), url),
      });
  };
}
