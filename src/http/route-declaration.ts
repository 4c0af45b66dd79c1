import type { PageCursors } from '../open-banking/page-cursor.js';
import type { Endpoint, PermissionGroups } from '../open-banking/endpoints.js';

/**
 * The whole truth of a route: guards, envelope, serialiser, access record and OpenAPI document all read it.
 * A route without one is refused at boot.
 */
export type RouteDeclaration = ResourceRoute | ConsentRoute | MethodNotAllowedRoute | PublicRoute;

export interface ResourceRoute {
  readonly kind: 'resource';
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly permissions: PermissionGroups;
  readonly window: WindowRule;
  readonly collection: string;
  /** Reads the query string; throws `OpenBankingError`. Runs after the account check and before the window's. */
  readonly query?: QueryReader;
}

export interface QueryReader {
  /** The parameters as OpenAPI names them, each with its description. */
  readonly parameters: Readonly<Record<string, string>>;
  read(query: Readonly<Record<string, unknown>>, request: QueryScope): unknown;
}

/** What a query's meaning may hang on. */
export interface QueryScope {
  readonly consentId: string;
  readonly accountId: string;
  readonly nowMs: number;
  readonly cursors: PageCursors;
}

/**
 * Section 5 of the interface specification.
 * - `exempt`: no authentication window.
 * - `always`: only inside the window.
 * - `recent-history`: exempt where the filter says that only young enough history is asked for.
 */
export type WindowRule = 'exempt' | 'always' | 'recent-history';

/** What a filter of a `recent-history` endpoint must tell the authentication window. */
export interface HistoryFilter {
  /** Start of the history asked for; absent when the request names none. */
  readonly fromMs?: number;
  /** When the TPP first asked, for later pages of the same answer. */
  readonly firstAskedAtMs: number;
  /** Set where a later page of an answer is asked for. */
  readonly page?: unknown;
}

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
