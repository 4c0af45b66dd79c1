import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifySchema } from 'fastify';
import type { RouteDeclaration } from './route-declaration.js';

/** One of the paths of a handler, and the route that it is there. */
export interface MountedRoute {
  readonly path: string;
  readonly declaration: RouteDeclaration;
  readonly schema: FastifySchema;
}

/**
 * Makes a handler serve the same request in several versions of the API. Nest gives all paths of a handler the same
 * options, so the server gives each its declaration and schema when it is mounted: no request looks for its version.
 * @param method Nest's decorator, e.g. `Get`
 */
export function MountAt(
  method: (paths: string[]) => MethodDecorator,
  routes: readonly MountedRoute[],
): MethodDecorator {
  return applyDecorators(
    method(routes.map(({ path }) => path)),
    RouteConfig({ mounted: new Map(routes.map((route) => [route.path, route])) }),
  );
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The routes of a handler by their paths: see {@link MountAt}. */
    mounted?: ReadonlyMap<string, MountedRoute>;
  }
}
