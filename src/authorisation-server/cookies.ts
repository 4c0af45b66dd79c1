import type { IncomingMessage } from 'node:http';

/** A cookie of one of our own paths that no script and no other site's form or frame can use. */
export interface Cookie {
  readonly name: string;
  readonly path: string;
  /** Sent over TLS only. */
  readonly secure: boolean;
}

/** A bearer value of 32 random bytes, as we make them; whatever else a browser sends is none. */
const bearerValue = /^[\w-]{43}$/;

export function readCookie({ headers }: IncomingMessage, { name }: Cookie): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === name && bearerValue.test(value)) return value;
  }
  return undefined;
}

/** The `Set-Cookie` line; without a value the browser forgets it. It lasts as long as the browser is open. */
export function cookieLine({ name, path, secure }: Cookie, value?: string): string {
  return [
    `${name}=${value ?? ''}`,
    `Path=${path}`,
    ...(value === undefined ? ['Max-Age=0'] : []),
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}
