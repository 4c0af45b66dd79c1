import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LimitCounts, type CountedAct, type Limit } from '../../quotas/limit-counts.store.js';
import { siteOf, sourceAddresses, fullAddresses } from '../../security/source-address.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { derivedKey } from '../sealing.js';
import type { SignInConfig } from '../../config/config.js';
import { hostCookie, readCookie, setCookie, type Cookie } from '../listeners/cookies.js';

/** The start of a sign-in, and the hashed subjects for which it was counted, each with its part. */
export interface Start {
  readonly atMs: number;
  readonly subjects: readonly string[];
}

/**
 * How often customers may begin a sign-in. Each start may send a one-time code and allows one guess at it, so a limit of starts also
 * limits guesses. A browser that has signed in under the name before has a separate count: a person who only knows the login
 * name, or shares the address, does not delay it.
 */
@Injectable()
export class SignInLimits {
  /** With it a reader of the database could find login names and addresses by guessing. */
  private readonly key: Buffer;
  private readonly browsers: KnownBrowsers;
  private readonly networkOf: (request: IncomingMessage) => string | undefined;
  private readonly fullAddress: (request: IncomingMessage) => string | undefined;
  private readonly starts: Limit;
  private readonly fromAddress: Limit;
  private readonly fromSite: Limit;

  constructor(
    private readonly counts: LimitCounts,
    { config: { keyEncryptionKey, signIn }, secure, knowsBrowsers }: AuthorisationSettings,
    log: AuthorisationLog,
  ) {
    if (!knowsBrowsers) log.unknownSources();
    this.key = derivedKey(keyEncryptionKey, 'sign-in attempts');
    this.browsers = new KnownBrowsers(derivedKey(keyEncryptionKey, 'known browsers'), signIn.knownBrowserMs, secure);
    this.networkOf = knowsBrowsers ? sourceAddresses(signIn.proxies) : () => undefined;
    this.fullAddress = knowsBrowsers ? fullAddresses(signIn.proxies) : () => undefined;
    this.starts = limitOfStarts(signIn);
    this.fromAddress = limitOfAddress(signIn);
    this.fromSite = limitOfSite(signIn);
  }

  /** The browser's address, for the bank; `undefined` where a proxy hides it. */
  addressOf({ raw }: FastifyRequest): string | undefined {
    return this.fullAddress(raw);
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
    const wanted: [CountedAct, Limit][] = [];
    if (site !== undefined) wanted.push([this.counted(`site:${site}`), this.fromSite]);
    if (address !== undefined) wanted.push([this.counted(`address:${address}`), this.fromAddress]);
    if (name !== undefined) wanted.push([this.counted(subjectOf(name), browser), this.starts]);
    const subjects: string[] = [];
    for (const [counted, limit] of wanted) {
      if (!(await this.counts.take(counted, limit, nowMs)).admitted) {
        await this.giveBack({ atMs: nowMs, subjects });
        return undefined;
      }
      subjects.push(`${counted.subject}.${counted.part}`);
    }
    return { atMs: nowMs, subjects };
  }

  /** The start succeeded or did not reach the bank, so it does not count. */
  async giveBack({ atMs, subjects }: Start): Promise<void> {
    for (const each of subjects) {
      const [subject = '', part = ''] = each.split('.');
      await this.counts.giveBack({ subject, part }, atMs);
    }
  }

  /**
   * Lets the customer of that login name begin at once, from any browser. The answer does not reveal whether the name exists.
   * Source addresses stay counted: many people may share an address.
   */
  async unlock(loginName: string): Promise<void> {
    await this.counts.forget(this.counted(subjectOf(normalLoginName(loginName))).subject);
  }

  /** Call this after a sign-in: from then on the browser has a separate count. */
  remember(reply: FastifyReply, loginName: string, nowMs: number): void {
    this.browsers.remember(reply, normalLoginName(loginName), nowMs);
  }

  /** The browsers of a login name are parts of its subject: they are forgotten with it. */
  private counted(subject: string, browser?: string): CountedAct {
    return { subject: this.hashed(subject), part: browser === undefined ? '' : this.hashed(browser) };
  }

  private hashed(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }
}

/** As banks compare login names: without regard to case, and to spaces at the ends. */
function normalLoginName(loginName: string): string {
  return loginName.trim().toLowerCase();
}

function subjectOf(normalName: string): string {
  return `name:${normalName}`;
}

/** For one login name, or one browser: the first starts at once, each further one after twice as long. */
export function limitOfStarts({ starts, windowMs, freeStarts, delayMs }: SignInConfig): Required<Limit> {
  const delaysMs = Array.from({ length: starts }, (_, taken) =>
    taken < freeStarts ? 0 : Math.min(delayMs * 2 ** (taken - freeStarts), windowMs),
  );
  return { most: starts, windowMs, delaysMs };
}

/** For one source address: many people may stand behind it. */
function limitOfAddress({ addressStarts, windowMs }: SignInConfig): Limit {
  return { most: addressStarts, windowMs };
}

/** A /48 has 65,536 source addresses (/64), of one person or of as many. */
const addressesPerSite = 8;

/** For one /48 of IPv6. */
function limitOfSite(config: SignInConfig): Limit {
  const limit = limitOfAddress(config);
  return { ...limit, most: limit.most * addressesPerSite };
}

const idBytes = 12;
const timeBytes = 4;
const macBytes = 16;

/**
 * The browsers in which a customer has signed in before, by a signed cookie for each login name. Such a browser has a
 * separate count, so attempts elsewhere do not delay it. The cookie is not a factor.
 */
class KnownBrowsers {
  /** @param key signs the cookies */
  constructor(
    private readonly key: Buffer,
    private readonly lastsMs: number,
    private readonly secure: boolean,
  ) {}

  /** The browser's name, where a customer has signed in with it under this login name. */
  find(request: FastifyRequest, loginName: string, nowMs: number): string | undefined {
    const value = readCookie(request, this.cookie(loginName));
    if (value === undefined) return undefined;
    const bytes = Buffer.from(value, 'base64url');
    const content = bytes.subarray(0, idBytes + timeBytes);
    if (!timingSafeEqual(bytes.subarray(idBytes + timeBytes), this.mac(content, loginName))) return undefined;
    const ageMs = nowMs - content.readUInt32BE(idBytes) * 1_000;
    return ageMs < this.lastsMs ? content.toString('base64url', 0, idBytes) : undefined;
  }

  /** After a sign-in. The browser gets a new name, so that attempts with an older cookie do not count for it. */
  remember(reply: FastifyReply, loginName: string, nowMs: number): void {
    if (this.lastsMs === 0) return;
    const content = Buffer.concat([randomBytes(idBytes), Buffer.alloc(timeBytes)]);
    content.writeUInt32BE(Math.floor(nowMs / 1_000), idBytes);
    const value = Buffer.concat([content, this.mac(content, loginName)]).toString('base64url');
    setCookie(reply, this.cookie(loginName), value);
  }

  /** The cookie's name does not reveal the login name. */
  private cookie(loginName: string): Cookie {
    const name = this.mac(Buffer.from('name'), loginName).toString('base64url', 0, 9);
    return hostCookie(`browser_${name}`, this.secure, Math.floor(this.lastsMs / 1_000));
  }

  private mac(content: Buffer, loginName: string): Buffer {
    return createHmac('sha256', this.key).update(content).update('\0').update(loginName).digest().subarray(0, macBytes);
  }
}
