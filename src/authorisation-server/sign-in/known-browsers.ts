import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostCookie, readCookie, setCookie, type Cookie } from '../listeners/cookies.js';

const idBytes = 12;
const timeBytes = 4;
const macBytes = 16;

/**
 * The browsers in which a customer has signed in before, by a signed cookie for each login name. Such a browser has a
 * separate count, so attempts elsewhere do not delay it. The cookie is not a factor.
 */
export class KnownBrowsers {
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
