import { randomBytes } from 'node:crypto';
import { fastifyCookie, type SerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie that no script and no other site's form or frame can use. */
export interface Cookie {
  readonly name: string;
  /** Sent over TLS only. */
  readonly secure: boolean;
  /** Without it the cookie lasts as long as the browser is open. */
  readonly maxAgeSeconds?: number | undefined;
}

/**
 * Over TLS the name has the prefix `__Host-`: browsers take such a cookie from this host only, so a sister domain cannot
 * plant one.
 */
export function hostCookie(name: string, secure: boolean, maxAgeSeconds?: number): Cookie {
  return { name: secure ? `__Host-${name}` : name, secure, maxAgeSeconds };
}

/** A value that only its browser knows: 32 random bytes. */
export function newBearer(): string {
  return randomBytes(32).toString('base64url');
}

/** 32 bytes in base64url. Any other value that a browser sends is ignored. */
const bearerValue = /^[\w-]{43}$/;

export function readCookie({ cookies }: FastifyRequest, { name }: Cookie): string | undefined {
  const value = cookies[name];
  return value !== undefined && bearerValue.test(value) ? value : undefined;
}

/** Without a value the browser forgets it. */
export function setCookie(reply: FastifyReply, cookie: Cookie, value?: string): void {
  void reply.setCookie(cookie.name, value ?? '', attributes(cookie, value));
}

/** The `Set-Cookie` line, for an answer that is not Fastify's. */
export function cookieLine(cookie: Cookie, value?: string): string {
  return fastifyCookie.serialize(cookie.name, value ?? '', attributes(cookie, value));
}

function attributes({ secure, maxAgeSeconds }: Cookie, value: string | undefined): SerializeOptions {
  const maxAge = value === undefined ? 0 : maxAgeSeconds;
  // The prefix demands the path.
  return { path: '/', httpOnly: true, sameSite: 'lax', secure, ...(maxAge !== undefined && { maxAge }) };
}
