import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignInConfig } from '../../config/config.js';
import { KnownBrowsers } from './known-browsers.js';
import { within, type SignInAttemptsStore } from './sign-in-attempts.store.js';
import { limitOfAddress, limitOfSite, limitOfStarts, type Limit } from './sign-in-limit.policy.js';
import { siteOf, sourceAddresses, wholeAddresses } from '../../security/source-address.js';

/** A sign-in that was begun, and the subjects for which it was counted. */
export interface Start {
  readonly atMs: number;
  readonly subjects: readonly string[];
}

export interface SignInLimitsParts {
  readonly attempts: SignInAttemptsStore;
  readonly config: SignInConfig;
  /** Signs the cookies of known browsers. */
  readonly key: Buffer;
  /** Browsers come over TLS. */
  readonly secure: boolean;
  /** Whether the peer of a connection is the browser or a proxy that the bank has named. */
  readonly knowsPeers: boolean;
}

/**
 * How often a sign-in may be begun. Each start may send a one-time code and allows one guess at it, so a limit of starts also
 * limits guesses. A browser that has signed in under the name before has a separate count: a person who only knows the login
 * name, or shares the address, does not delay it.
 */
export class SignInLimits {
  private readonly browsers: KnownBrowsers;
  private readonly networkOf: (request: IncomingMessage) => string | undefined;
  private readonly wholeAddress: (request: IncomingMessage) => string | undefined;
  private readonly starts: Limit;
  private readonly fromAddress: Limit;
  private readonly fromSite: Limit;

  constructor(private readonly parts: SignInLimitsParts) {
    const { config, key, secure, knowsPeers } = parts;
    this.browsers = new KnownBrowsers(key, config.knownBrowserMs, secure);
    this.networkOf = knowsPeers ? sourceAddresses(config.proxies) : () => undefined;
    this.wholeAddress = knowsPeers ? wholeAddresses(config.proxies) : () => undefined;
    this.starts = limitOfStarts(config);
    this.fromAddress = limitOfAddress(config);
    this.fromSite = limitOfSite(config);
  }

  /** The browser's address, for the bank; `undefined` where a proxy hides it. */
  addressOf({ raw }: FastifyRequest): string | undefined {
    return this.wholeAddress(raw);
  }

  /**
   * Counts a start; `undefined` where any limit is reached.
   * @param loginName absent where the bank's own sign-on asks for it, and counts the attempts on each name itself
   */
  async take(request: FastifyRequest, loginName: string | undefined, nowMs: number): Promise<Start | undefined> {
    const name = loginName === undefined ? undefined : normalLoginName(loginName);
    const browser = name === undefined ? undefined : this.browsers.find(request, name, nowMs);
    const address = browser === undefined ? this.networkOf(request.raw) : undefined;
    const site = address === undefined ? undefined : siteOf(address);
    // The source comes first: a start that its source may not make leaves no row for the name.
    const wanted: [string, Limit][] = [];
    if (site !== undefined) wanted.push([`site:${site}`, this.fromSite]);
    if (address !== undefined) wanted.push([`address:${address}`, this.fromAddress]);
    if (name !== undefined)
      wanted.push([
        browser === undefined ? subjectOf(name) : `${subjectOf(name)}${within}browser:${browser}`,
        this.starts,
      ]);
    const subjects: string[] = [];
    for (const [subject, limit] of wanted) {
      if (!(await this.parts.attempts.take(subject, limit, new Date(nowMs)))) {
        await this.giveBack({ atMs: nowMs, subjects });
        return undefined;
      }
      subjects.push(subject);
    }
    return { atMs: nowMs, subjects };
  }

  /** The start succeeded or could not be judged, so it does not count. */
  async giveBack({ atMs, subjects }: Start): Promise<void> {
    for (const subject of subjects) await this.parts.attempts.giveBack(subject, new Date(atMs));
  }

  /**
   * Lets the customer of that login name begin at once, from any browser. The answer does not reveal whether the name exists.
   * Source addresses stay counted: many people may share an address.
   */
  async unlock(loginName: string): Promise<void> {
    await this.parts.attempts.forget(subjectOf(normalLoginName(loginName)));
  }

  /** After a sign-in the browser is known. */
  remember(reply: FastifyReply, loginName: string, nowMs: number): void {
    this.browsers.remember(reply, normalLoginName(loginName), nowMs);
  }
}

/** As banks compare login names: without regard to case, and to spaces at the ends. */
function normalLoginName(loginName: string): string {
  return loginName.trim().toLowerCase();
}

function subjectOf(normalName: string): string {
  return `name:${normalName}`;
}
