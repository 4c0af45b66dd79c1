import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A cookie that no script and no other site's form or frame can use. */
export interface Cookie {
  readonly name: string;
  /** Sent over TLS only. */
  readonly secure: boolean;
  /** Without it the cookie lasts as long as the browser is open. */
  readonly maxAgeSeconds?: number | undefined;
}

/**
 * Over TLS the prefix `__Host-`: browsers take such a cookie from this very host only, so that no sister domain can plant
 * one.
 */
export function hostCookie(name: string, secure: boolean, maxAgeSeconds?: number): Cookie {
  return { name: secure ? `__Host-${name}` : name, secure, maxAgeSeconds };
}

/** A value that only its browser knows: 32 random bytes. */
export function newBearer(): string {
  return randomBytes(32).toString('base64url');
}

/** 32 bytes, as all our cookies have; whatever else a browser sends is none. */
const bearerValue = /^[\w-]{43}$/;

export function readCookie({ headers }: IncomingMessage, { name }: Cookie): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === name && bearerValue.test(value)) return value;
  }
  return undefined;
}

/** Without a value the browser forgets it. */
export function setCookie(response: ServerResponse, cookie: Cookie, value?: string): void {
  response.appendHeader('set-cookie', cookieLine(cookie, value));
}

export function cookieLine({ name, secure, maxAgeSeconds }: Cookie, value?: string): string {
  const lastsSeconds = value === undefined ? 0 : maxAgeSeconds;
  return [
    `${name}=${value ?? ''}`,
    // The prefix demands it.
    'Path=/',
    ...(lastsSeconds === undefined ? [] : [`Max-Age=${lastsSeconds}`]),
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}
