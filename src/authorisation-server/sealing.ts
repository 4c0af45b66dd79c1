import { createHash, hkdfSync } from 'node:crypto';
import { openBytes, sealBytes } from '../open-banking/sealed-bytes.js';

/** A text that is sealed for one `purpose` does not open for another. */
export function seal(key: Buffer, purpose: string, text: string): string {
  return sealBytes(key, purpose, text).toString('base64');
}

/** @throws Error when key or purpose is another one, or somebody changed the text. */
export function open(key: Buffer, purpose: string, sealed: string): string {
  return openBytes(key, purpose, Buffer.from(sealed, 'base64'));
}

/** Under what a bearer value is kept: the value itself cannot be had from it. */
export function hashed(kind: string, bearer: string): string {
  return createHash('sha256').update(`${kind}:${bearer}`).digest('base64url');
}

/** The key that only who holds the bearer value has. */
export function keyOf(kind: string, bearer: string): Buffer {
  return Buffer.from(hkdfSync('sha256', bearer, '', `sealed ${kind}`, 32));
}

/**
 * The token of every form that is shown to who holds the cookie: nobody else can work it out, and it dies with the cookie.
 * @param bearer the cookie's value
 */
export function formToken(bearer: string): string {
  return hashed('form', bearer);
}

/** Another key for each purpose, from one that operators keep. */
export function derivedKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
}
