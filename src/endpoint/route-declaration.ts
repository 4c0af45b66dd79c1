import type { ApiVersion } from './api-version.js';
import type { EndpointForm } from './endpoint-form.js';

/**
 * The whole truth of a route: guards, envelope, serialiser, access record and OpenAPI document all read it.
 * A route without one is refused at boot.
 */
export type RouteDeclaration = ResourceRoute | ConsentRoute | MethodNotAllowedRoute | PublicRoute;

export interface ResourceRoute {
  readonly kind: 'resource';
  readonly version: ApiVersion;
  readonly form: EndpointForm;
  /** From the root, with the version's base path. */
  readonly path: string;
}

export interface ConsentRoute {
  readonly kind: 'consents';
  readonly version: ApiVersion;
}

export interface MethodNotAllowedRoute {
  readonly kind: 'method-not-allowed';
  /** Value of the `Allow` header. */
  readonly allow: string;
}

export interface PublicRoute {
  readonly kind: 'public';
}
