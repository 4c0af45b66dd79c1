import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { recentlyUsed } from '../../persistence/recently-used.js';
import { RateLimit, type QuotaState } from '../../security/rate-limit.js';
import { sourceAddresses } from '../../security/source-address.js';
import { TppSources, type Source } from '../../security/tpp-sources.js';
import { AuthorisationSettings } from './settings.js';

/** An answer 429, in words for the TPP's developer. */
export interface TooMany {
  readonly description: string;
  readonly retryAfterSeconds: number;
  readonly reason: 'failed-requests' | 'rate-limit';
}

export type Caller = 'tpp' | 'browser';

/** The source address of a request, where it can be known. */
type AddressOf = (request: IncomingMessage) => string | undefined;

/** Without a subject where the source cannot be known: then nothing is counted. */
type MaybeSource = Pick<Source, 'name'> & { readonly subject: string | undefined };

interface PassedRequest {
  readonly clientId: string;
  readonly buckets: readonly RateLimit[];
}

/** The number of opened authorization requests that a process remembers. */
const mostRemembered = 10_000;

/**
 * Limits the requests to the authorization server in this process. Before a caller is known, requests that fail count for
 * their certificate or, without one, for their address. A known client has separate buckets. A request that succeeds costs
 * its source nothing, and a request with an accepted certificate never pays for others at its address.
 */
@Injectable()
export class RequestLimits {
  private readonly failures: RateLimit;
  private readonly requests: RateLimit | undefined;
  private readonly authorizations: RateLimit | undefined;
  private readonly opened = recentlyUsed<true>(mostRemembered);
  /** Requests that cost their source nothing, each with the buckets of its client from which it has taken a token. */
  private readonly passed = new WeakMap<IncomingMessage, PassedRequest>();

  private readonly addressOfBrowser: AddressOf;

  constructor(
    private readonly tppSources: TppSources,
    { config, knowsBrowsers }: AuthorisationSettings,
  ) {
    const { failures, requests, authorizations } = config.limits;
    this.failures = new RateLimit('failures', failures);
    this.requests = requests && new RateLimit('requests', requests);
    this.authorizations = authorizations && new RateLimit('authorizations', authorizations);
    this.addressOfBrowser = knowsBrowsers ? sourceAddresses(config.signIn.proxies) : () => undefined;
  }

  /** Call this before any check of the request. */
  enter(request: IncomingMessage, caller: Caller): TooMany | undefined {
    const { subject, name } = this.sourceOf(request, caller);
    if (subject === undefined) return undefined;
    const state = this.failures.stateOf(subject);
    if (state.admitted) return undefined;
    const { retryAfterSeconds } = state;
    const description = `too many requests from this ${name} failed: correct them, and wait ${retryAfterSeconds} seconds`;
    return { description, retryAfterSeconds, reason: 'failed-requests' };
  }

  /** The client has proven itself; its own limits hold for its request. @param isPush it begins an authorization */
  authenticated(request: IncomingMessage, clientId: string, isPush = false): TooMany | undefined {
    if (this.passed.has(request)) return undefined;
    return this.pass(request, clientId, isPush ? [this.requests, this.authorizations] : [this.requests]);
  }

  /**
   * A browser has opened a good authorization request. If a request is opened again, its source pays, for a stranger may have
   * its URL, and the client does not pay again.
   * @param name of the authorization request
   * @param clientId undefined where the request was pushed and counted then
   */
  openedAuthorization(request: IncomingMessage, name: string, clientId: string | undefined): TooMany | undefined {
    if (this.opened.has(name)) return undefined;
    const refusal = this.pass(request, clientId ?? '', clientId === undefined ? [] : [this.authorizations]);
    if (refusal === undefined) this.opened.set(name, true);
    return refusal;
  }

  /** Whether the caller has proven itself, or has opened a good authorization request. */
  hasPassed(request: IncomingMessage): boolean {
    return this.passed.has(request);
  }

  /** Before the caller has the answer. */
  leave(request: IncomingMessage, caller: Caller, status: number): void {
    const passed = this.passed.get(request);
    if (passed !== undefined && status !== 401) {
      if (caller === 'tpp') this.tppSources.prove(request);
      return;
    }
    // Good proof that does not count, as a client assertion that was used before: its sender need not be the client.
    for (const limit of passed?.buckets ?? []) limit.giveBack(passed?.clientId ?? '');
    const { subject } = this.sourceOf(request, caller);
    if (subject !== undefined) this.failures.charge(subject);
  }

  private pass(
    request: IncomingMessage,
    clientId: string,
    limits: readonly (RateLimit | undefined)[],
  ): TooMany | undefined {
    const buckets: RateLimit[] = [];
    this.passed.set(request, { clientId, buckets });
    for (const limit of limits) {
      const refusal = tooFast(limit, clientId);
      if (refusal !== undefined) return refusal;
      if (limit !== undefined) buckets.push(limit);
    }
    return undefined;
  }

  private sourceOf(request: IncomingMessage, caller: Caller): MaybeSource {
    return caller === 'tpp' ? this.tppSources.sourceOf(request) : this.sourceOfBrowser(request);
  }

  private sourceOfBrowser(request: IncomingMessage): MaybeSource {
    const address = this.addressOfBrowser(request);
    return { subject: address && `browser ${address}`, name: 'address' };
  }
}

function tooFast(limit: RateLimit | undefined, clientId: string): TooMany | undefined {
  const state: QuotaState | undefined = limit?.take(clientId);
  if (limit === undefined || state === undefined || state.admitted) return undefined;
  const { retryAfterSeconds } = state;
  const what = limit.name === 'authorizations' ? 'begins authorizations' : 'sends requests';
  const description = `the client ${what} faster than its limit allows (${limit.policy}): wait ${retryAfterSeconds} seconds`;
  return { description, retryAfterSeconds, reason: 'rate-limit' };
}
