import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { CoreProduct } from '../../packages/core-adapter/core.records.js';
import type { Permission } from '../open-banking/permissions.js';
import type { TppId } from '../open-banking/tpp-id.js';
import type { HistoryFilter } from './endpoint-rule.js';
import type { RouteDeclaration } from './route-declaration.js';

/** A verified access token, in the same words for every issuer. */
export interface AccessToken {
  /** The TPP, by the configured issuer whose rules the token passed. */
  readonly tpp: TppId;
  readonly scopes: ReadonlySet<string>;
  /** Set when the token is bound to a customer's consent; a client-credentials token has none. */
  readonly consentId?: string;
  /** RFC 8705 `cnf.x5t#S256`: the certificate that must come with the token. */
  readonly certificateThumbprint?: string;
  /** RFC 9449 `cnf.jkt`: the key that must have signed a proof for this request. */
  readonly keyThumbprint?: string;
  /** When the token says the customer authenticated: it can close the authentication window, never open it. */
  readonly authenticatedAtMs?: number;
  /** How strongly the customer authenticated, in the issuer's own word. */
  readonly acr?: string;
  /** Set where the issuer's subject is the core's reference of the customer: the consent must be that customer's. */
  readonly customerRef?: string;
  readonly expiresAtMs: number;
  /** The authorisation under which the embedded authorization server issued it: it must be the consent's current one. */
  readonly authorisationId?: string;
}

/** A live consent as the guards and the resources need it. */
export interface Grant {
  readonly consentId: string;
  readonly customerRef: string;
  readonly displayName?: string;
  readonly permissions: ReadonlySet<Permission>;
  /** The selected accounts, by the `AccountId` that the TPP sees. */
  readonly accounts: ReadonlyMap<string, { readonly ref: string; readonly product: CoreProduct }>;
  /** The consented transaction history: both edges inclusive, absent is open-ended. */
  readonly history: { readonly fromMs?: number; readonly toMs?: number };
  readonly lastAuthenticatedAtMs: number;
}

/** The account that a request is about, once the consent guard let it pass. */
export interface GrantedAccount {
  readonly accountId: string;
  readonly ref: string;
  readonly product: CoreProduct;
}

export interface UnattendedRequest {
  /** Within the limit, beyond it and answered all the same, or refused. */
  readonly outcome: 'within' | 'beyond' | 'refused';
  /** To be called once the answer is out: a read without an answer does not count. */
  readonly end: (answered: boolean) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    interactionId: string;
    /** The start of every link of the answer: see base-url.ts. */
    baseUrl: string;
    token: AccessToken | undefined;
    grant: Grant | undefined;
    /** The grant by the consent as it is now; rejects as the check "live consent" refuses. */
    readGrantAgain: (() => Promise<Grant>) | undefined;
    account: GrantedAccount | undefined;
    /** The query string, as the endpoint's rule reads it. */
    filter: HistoryFilter | undefined;
    /** Made by the first read of the core: see core-signal.ts. */
    coreSignal: AbortSignal | undefined;
    /** Where the answer goes; its closing before the end tells that the TPP has gone. */
    response: ServerResponse | undefined;
    /** Set on a counted request, which a TPP made without the customer. */
    unattended: UnattendedRequest | undefined;
    /** Names of query parameters that were nearly right, from a closed list. */
    ignoredParameters: readonly string[] | undefined;
  }
  interface FastifyContextConfig {
    declaration?: RouteDeclaration;
  }
}

export function declarationOf(request: FastifyRequest): RouteDeclaration | undefined {
  return request.routeOptions.config.declaration;
}

/** For code that runs only after the guards: a missing value is a fault of ours, never a way through. */
export function granted(request: FastifyRequest): Grant {
  if (request.grant === undefined) throw new Error('the request has passed no consent check');
  return request.grant;
}

/**
 * Judges the grant. It may be a second old: before it refuses anything the consent is read again, so that an approval at
 * another process is good here at once.
 */
export async function judgeGrant<Refusal>(
  request: FastifyRequest,
  refusalOf: (grant: Grant) => Refusal | undefined,
): Promise<Refusal | undefined> {
  if (refusalOf(granted(request)) === undefined) return undefined;
  request.grant = await request.readGrantAgain?.();
  return refusalOf(granted(request));
}
