import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../config/config.js';
import { RateLimit, type QuotaState } from '../../quotas/rate-limit.js';
import { sourceAddresses } from '../../security/source-address.js';
import { ClientCertificates, isCurrent } from '../../security/tls/client-certificate.js';
import { AuthorisationSettings } from './settings.js';

/** An answer 429, in words for the TPP's developer. */
export interface TooMany {
  readonly description: string;
  readonly retryAfterSeconds: number;
}

export type Caller = 'tpp' | 'browser';

/** The source address of a request, where it can be known. */
type AddressOf = (request: IncomingMessage) => string | undefined;

/** The source of a request. `name` stands for it in a refusal. */
interface Source {
  /** Absent where the source cannot be known: then nothing is counted. */
  readonly subject: string | undefined;
  readonly name: string;
}

/** The number of proven certificates, and of opened authorization requests, that a process remembers. */
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
  private readonly proven = new LRUCache<string, true>({ max: mostRemembered });
  private readonly opened = new LRUCache<string, true>({ max: mostRemembered });
  /** Requests that cost their source nothing. */
  private readonly passed = new WeakSet<IncomingMessage>();

  private readonly addressOfTpp: AddressOf;
  private readonly addressOfBrowser: AddressOf;

  constructor(
    private readonly certificates: ClientCertificates,
    private readonly clock: Clock,
    @Inject(GATEWAY_CONFIG) { proxy }: Pick<GatewayConfig, 'proxy'>,
    { config, knowsBrowsers }: AuthorisationSettings,
  ) {
    const { failures, requests, authorizations } = config.limits;
    this.failures = new RateLimit('failures', failures);
    this.requests = requests && new RateLimit('requests', requests);
    this.authorizations = authorizations && new RateLimit('authorizations', authorizations);
    this.addressOfTpp = sourceAddresses(proxy?.trustedPeers ?? []);
    this.addressOfBrowser = knowsBrowsers ? sourceAddresses(config.signIn.proxies) : () => undefined;
  }

  /** Before anything of the request is judged. */
  enter(request: IncomingMessage, caller: Caller): TooMany | undefined {
    const { subject, name } = this.sourceOf(request, caller);
    if (subject === undefined) return undefined;
    const state = this.failures.stateOf(subject);
    if (state.admitted) return undefined;
    const { retryAfterSeconds } = state;
    const description = `too many requests from this ${name} failed: correct them, and wait ${retryAfterSeconds} seconds`;
    return { description, retryAfterSeconds };
  }

  /** The client has proven itself; its request is judged by its own limits. @param isPush it begins an authorization */
  authenticated(request: IncomingMessage, clientId: string, isPush = false): TooMany | undefined {
    this.passed.add(request);
    const presented = this.certificates.of(request);
    if (presented !== undefined) this.proven.set(presented.thumbprint, true);
    return tooFast(this.requests, clientId) ?? (isPush ? tooFast(this.authorizations, clientId) : undefined);
  }

  /**
   * A browser has opened a good authorization request. If a request is opened again, its source pays, for a stranger may have
   * its URL, and the client does not pay again.
   * @param name of the authorization request
   * @param clientId undefined where the request was pushed and counted then
   */
  openedAuthorization(request: IncomingMessage, name: string, clientId: string | undefined): TooMany | undefined {
    if (this.opened.has(name)) return undefined;
    this.passed.add(request);
    const refusal = clientId === undefined ? undefined : tooFast(this.authorizations, clientId);
    if (refusal === undefined) this.opened.set(name, true);
    return refusal;
  }

  /** Before the request is answered. */
  leave(request: IncomingMessage, caller: Caller): void {
    const { subject } = this.sourceOf(request, caller);
    if (subject !== undefined && !this.passed.has(request)) this.failures.charge(subject);
  }

  private sourceOf(request: IncomingMessage, caller: Caller): Source {
    return caller === 'tpp' ? this.sourceOfTpp(request) : this.sourceOfBrowser(request);
  }

  /** Anyone can make a certificate. It counts as a source only if an authority issued it or a client proved itself by it. */
  private sourceOfTpp(request: IncomingMessage): Source {
    const presented = this.certificates.of(request);
    const isSomebodys =
      presented !== undefined &&
      ((presented.issued && isCurrent(presented, this.clock.nowMs())) || this.proven.has(presented.thumbprint));
    if (isSomebodys) return { subject: `certificate ${presented.thumbprint}`, name: 'certificate' };
    return { subject: `tpp ${this.addressOfTpp(request) ?? ''}`, name: 'address without a certificate of a TPP' };
  }

  private sourceOfBrowser(request: IncomingMessage): Source {
    const address = this.addressOfBrowser(request);
    return { subject: address && `browser ${address}`, name: 'address' };
  }
}

function tooFast(limit: RateLimit | undefined, clientId: string): TooMany | undefined {
  const state: QuotaState | undefined = limit?.take(clientId);
  if (limit === undefined || state === undefined || state.admitted) return undefined;
  const { retryAfterSeconds } = state;
  const what = limit.name === 'authorizations' ? 'begins authorizations' : 'asks';
  const description = `the client ${what} faster than it may (${limit.policy}): wait ${retryAfterSeconds} seconds`;
  return { description, retryAfterSeconds };
}
