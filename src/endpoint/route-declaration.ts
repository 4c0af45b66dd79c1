import type { EndpointDeclaration } from './endpoint-declaration.js';

/**
 * The whole truth of a route: guards, envelope, serialiser, access record and OpenAPI document all read it.
 * A route without one is refused at boot.
 */
export type RouteDeclaration = EndpointDeclaration | ConsentRoute | MethodNotAllowedRoute | PublicRoute;

export interface ConsentRoute {
  readonly kind: 'consents';
}

export interface MethodNotAllowedRoute {
  readonly kind: 'method-not-allowed';
  /** Value of the `Allow` header. */
  readonly allow: string;
}

export interface PublicRoute {
  readonly kind: 'public';
}
