import type { ConsentKind } from '../open-banking/consent-state.js';
import type { ApiVersion } from './api-version.js';
import type { EndpointForm } from './endpoint-form.js';

/**
 * The whole truth of a route: checks, envelope, serialiser, access record and OpenAPI document all read it.
 * A route without one is refused at boot.
 */
export type RouteDeclaration =
  ResourceRoute | FundsCheckRoute | ConsentRoute | EventsRoute | MethodNotAllowedRoute | PublicRoute;

interface NamedRoute {
  /** In access records and metrics, and the same in every version of the API. That of a resource is its rule's. */
  readonly name: string;
  readonly version?: ApiVersion;
}

export interface ResourceRoute extends NamedRoute {
  readonly kind: 'resource';
  readonly version: ApiVersion;
  readonly form: EndpointForm;
  /** From the root, with the version's base path. */
  readonly path: string;
}

/** A check of funds. */
export interface FundsCheckRoute extends NamedRoute {
  readonly kind: 'funds-check';
  readonly version: ApiVersion;
}

export interface ConsentRoute extends NamedRoute {
  readonly kind: 'consents';
  readonly consentKind: ConsentKind;
  readonly version: ApiVersion;
}

export interface EventsRoute extends NamedRoute {
  readonly kind: 'events';
  readonly version: ApiVersion;
}

export interface MethodNotAllowedRoute extends NamedRoute {
  readonly kind: 'method-not-allowed';
  /** Value of the `Allow` header. */
  readonly allow: string;
}

export interface PublicRoute extends NamedRoute {
  readonly kind: 'public';
}

/** The kind of the consent that a token of this route must be bound to; `undefined` where it is bound to none. */
export function grantKindOf(declaration: RouteDeclaration | undefined): ConsentKind | undefined {
  if (declaration?.kind === 'resource') return 'account-access';
  return declaration?.kind === 'funds-check' ? 'funds-confirmation' : undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    declaration?: RouteDeclaration;
  }
  interface FastifyRequest {
    /** `undefined` where the request met no route of the TPPs' API. Fastify makes `routeOptions` again each time it is read. */
    declaration: RouteDeclaration | undefined;
  }
}
