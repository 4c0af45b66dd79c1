import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { CoreErrorKind } from '../../packages/core-adapter/core-error.js';
import type { ReadTally } from '../core-banking/core-observer.js';
import type { CheckName, RefusingCheck } from '../open-banking/checks.js';
import type { ConsentKind } from '../open-banking/consent-state.js';
import type { ErrorKind } from '../open-banking/error-table.js';
import type { PageCursor } from '../open-banking/page-cursor.js';
import type { Permission } from '../open-banking/permissions.js';
import type { RefusalReason } from '../open-banking/reasons.js';
import type { Field, Rule } from '../open-banking/rules.js';
import type { TppId } from '../open-banking/tpp-id.js';
import type { Actor } from '../trail/event-members.js';
import type { Target } from '../trail/operator-event.js';
import type { CheckFacts } from '../trail/check-facts.js';
import type { RequestTrace } from './request-trace.js';

/** A verified access token, in the same words for every issuer. */
export interface AccessToken {
  /** The TPP, by the configured issuer whose rules the token passed. */
  readonly tpp: TppId;
  readonly scopes: ReadonlySet<string>;
  /** Set when the token is bound to a customer's consent; a client-credentials token is not. */
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
  readonly kind: ConsentKind;
  /** The name of the version of the API in which the consent was created. */
  readonly createdIn: string;
  readonly customerRef: string;
  /** The customer's name in the trail. */
  readonly pseudonym: string;
  readonly displayName?: string;
  readonly permissions: ReadonlySet<Permission>;
  /** The selected accounts, by the `AccountId` that the TPP sees. */
  readonly accounts: ReadonlyMap<string, AccountOfGrant>;
  /** The consented transaction history: both edges inclusive, absent is open-ended. */
  readonly history: { readonly fromMs?: number; readonly toMs?: number };
  readonly lastAuthenticatedAtMs: number;
}

/** An account that the customer selected. */
export interface AccountOfGrant {
  readonly ref: string;
  readonly product: string;
  /** The account's core: see `CoreConfig.recordedAs`. */
  readonly core?: string;
  /** The customer's reference in that core, where it is another than the grant's. */
  readonly customerRef?: string;
  /** The account's name in the trail. */
  readonly pseudonym: string;
}

/** The account that a request is about, once it passed the check "account". */
export interface GrantedAccount extends AccountOfGrant {
  readonly accountId: string;
}

export interface UnattendedRequest {
  /** Within the limit, beyond it and answered all the same, or refused. */
  readonly outcome: 'within' | 'beyond' | 'refused';
  /** To be called once the answer is out: a read without an answer does not count. */
  readonly end: (answered: boolean) => void;
}

/** The part of a filter that the authentication window and the limit of unattended reads check. */
export interface HistoryFilter {
  /** Start of the history asked for; absent when the request names none. */
  readonly fromMs?: number;
  /** Set where a later page of an answer is asked for. */
  readonly page?: Pick<PageCursor, 'firstAskedAtMs'>;
}

/**
 * The links of one page of several, other than Self: each as the query string of that page, empty or with its question
 * mark.
 */
export interface PageLinks {
  readonly First: string;
  readonly Prev?: string;
  readonly Next?: string;
}

/** Whether the customer is present. The TPP shows this by the customer's address. */
export function isAttended(headers: IncomingHttpHeaders): boolean {
  return (headers['x-fapi-customer-ip-address'] ?? '') !== '';
}

/**
 * All that the gateway knows of one request. Each stage of the request fills its members in. All of them are declared and
 * set here, so that every context has the same shape, which V8 reads fastest.
 */
export class RequestContext {
  /** When the request was received, in milliseconds since 1970. */
  receivedAtMs = 0;
  /** The start of every link of the answer: the configured URL of the listener to which the request came. */
  baseUrl: string | undefined = undefined;
  /** Set by the check "token". */
  token: AccessToken | undefined = undefined;
  /** The TPP of a request without an access token, where the gateway knows it. */
  tpp: TppId | undefined = undefined;
  /** At the bank's port: the caller, once its credential was found right. */
  by: Actor | undefined = undefined;
  /** At the bank's port: the pseudonyms of the customer or account whose records the caller asked for. */
  asked: Pick<Target, 'customer' | 'account'> | undefined = undefined;
  /** The caller has proven who it is: a TPP, the bank, an operator, or a customer who has signed in. */
  isProven = false;
  /** Set by the check "live consent". */
  grant: Grant | undefined = undefined;
  /** Set by the check "account". */
  account: GrantedAccount | undefined = undefined;
  /** The query string, as the endpoint's rule reads it. Set by the check "query". */
  filter: HistoryFilter | undefined = undefined;
  /** Names of query parameters that were nearly right, from a closed list. */
  ignoredParameters: readonly string[] | undefined = undefined;
  /** Set by the check "unattended access" on a counted request, which a TPP made without the customer. */
  unattended: UnattendedRequest | undefined = undefined;
  /** The sum of the reads of the core. Set by the first of them. */
  reads: ReadTally | undefined = undefined;
  /** The records in the answer. */
  rows: number | undefined = undefined;
  /** Set where the answer is one page of several. */
  links: PageLinks | undefined = undefined;
  /** The names of the cores that are missing in the answer, because they could not be read. */
  unreachableCores: readonly string[] | undefined = undefined;
  /** Made by the first read of the core: see core-context.ts. */
  coreSignal: AbortSignal | undefined = undefined;
  /** Absent where no traces are taken. */
  trace: RequestTrace | undefined = undefined;
  /** The check that the request is in. */
  check: CheckName | undefined = undefined;
  /** The error of the answer, which is not a success. */
  error: ErrorKind | undefined = undefined;
  /** The check that refused the request; `undefined` where the error is a fault, which no check raised. */
  refusedBy: RefusingCheck | undefined = undefined;
  /** The check during which a fault ended the request. */
  failedIn: CheckName | undefined = undefined;
  /** The field at fault, by declared names only, and the rule that it broke. */
  field: Field | undefined = undefined;
  rule: Rule | undefined = undefined;
  /** Why the request was not answered with success. */
  reason: RefusalReason | undefined = undefined;
  /** The facts on which the last check decided. */
  facts: CheckFacts | undefined = undefined;
  /** The kind of the core's fault that the answer is about. */
  coreFault: CoreErrorKind | undefined = undefined;
  /** Set where a poll waits for an event, by the clock of the process. */
  wait: { readonly begunMs: number; endedMs?: number } | undefined = undefined;
  /** From the arrival of the request until its answer began, in milliseconds, without such a wait. */
  firstByteMs: number | undefined = undefined;
  /** The work of the route's handler, once it has begun and where it is a promise. */
  handling: Promise<unknown> | undefined = undefined;
  /** The caller closed the connection before it was answered. */
  hasGone = false;
  /** The same until its answer was sent, or its caller had gone. */
  closedMs: number | undefined = undefined;
  /** To be awaited before the answer leaves, with the length of its body: see `TRAIL_FAULT`. */
  beforeAnswer: ((bytes: number | undefined) => Promise<void>) | undefined = undefined;
  /** The event of the request is in the trail already: see `TRAIL_FAULT`. */
  isWritten = false;
  /** The id in an answer of 500 and more. */
  errorId: string | undefined = undefined;
  /** The status of an answer that was sent past Fastify. */
  brokenStatus: number | undefined = undefined;

  constructor(
    readonly interactionId: string,
    /** The answer. If it closes before its end, the TPP closed the connection. */
    readonly response: ServerResponse,
    /** The request came to the listener that asks for certificates. */
    readonly asksForCertificate: boolean,
  ) {}

  // For code that runs only after a stage: a missing value is a fault of the gateway, never a way through.

  linkBase(): string {
    return set(this.baseUrl, 'no host check');
  }

  verifiedToken(): AccessToken {
    return set(this.token, 'no token check');
  }

  granted(): Grant {
    return set(this.grant, 'no consent check');
  }

  grantedAccount(): GrantedAccount {
    return set(this.account, 'no account check');
  }
}

function set<T>(value: T | undefined, missing: string): T {
  if (value === undefined) throw new Error(`the request has passed ${missing}`);
  return value;
}

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Set by the listener that asks for certificates. */
    asksForCertificate?: true;
    /** Set where another library than Fastify answers the request. */
    context?: RequestContext;
  }
}
