import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostCookie, readCookie, setCookie, type Cookie } from '../listeners/cookies.js';
import { normalLoginName } from './login-name.js';

const idBytes = 12;
const timeBytes = 4;
const macBytes = 16;

/**
 * The browsers in which somebody has signed in before, by a signed cookie for each login name: others' attempts do not
 * delay them. It is no factor: all that it gives is a count of its own.
 */
export class KnownBrowsers {
  /** @param key signs the cookies */
  constructor(
    private readonly key: Buffer,
    private readonly lastsMs: number,
    private readonly secure: boolean,
  ) {}

  /** The browser's own name, where it is known under this login name. */
  find(request: FastifyRequest, loginName: string, nowMs: number): string | undefined {
    const value = readCookie(request, this.cookie(loginName));
    if (value === undefined) return undefined;
    const bytes = Buffer.from(value, 'base64url');
    const said = bytes.subarray(0, idBytes + timeBytes);
    if (!timingSafeEqual(bytes.subarray(idBytes + timeBytes), this.mac(said, loginName))) return undefined;
    const ageMs = nowMs - said.readUInt32BE(idBytes) * 1_000;
    return ageMs < this.lastsMs ? said.toString('base64url', 0, idBytes) : undefined;
  }

  /** Somebody has signed in: under a new name, so that what an older cookie has spent is not this one's. */
  remember(reply: FastifyReply, loginName: string, nowMs: number): void {
    if (this.lastsMs === 0) return;
    const said = Buffer.concat([randomBytes(idBytes), Buffer.alloc(timeBytes)]);
    said.writeUInt32BE(Math.floor(nowMs / 1_000), idBytes);
    const value = Buffer.concat([said, this.mac(said, loginName)]).toString('base64url');
    setCookie(reply, this.cookie(loginName), value);
  }

  /** Its name tells nobody the login name. */
  private cookie(loginName: string): Cookie {
    const name = this.mac(Buffer.from('name'), loginName).toString('base64url', 0, 9);
    return hostCookie(`browser_${name}`, this.secure, Math.floor(this.lastsMs / 1_000));
  }

  private mac(said: Buffer, loginName: string): Buffer {
    const name = normalLoginName(loginName);
    return createHmac('sha256', this.key).update(said).update('\0').update(name).digest().subarray(0, macBytes);
  }
}
