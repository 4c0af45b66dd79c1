import { createHash, hkdfSync } from 'node:crypto';
import { openBytes, sealBytes } from '../open-banking/sealed-bytes.js';
import { equalSecrets } from '../security/equal-secrets.js';

/** A text that is sealed for one `purpose` does not open for another. */
export function seal(key: Buffer, purpose: string, text: string): string {
  return sealBytes(key, purpose, text).toString('base64');
}

/** @throws Error when key or purpose differ, or the text was changed. */
export function open(key: Buffer, purpose: string, sealed: string): string {
  return openBytes(key, purpose, Buffer.from(sealed, 'base64'));
}

/** The key of a bearer value's row. The value cannot be computed from it. */
export function hashed(kind: string, bearer: string): string {
  return createHash('sha256').update(`${kind}:${bearer}`).digest('base64url');
}

/** The key that only the holder of the bearer value has. */
export function keyOf(kind: string, bearer: string): Buffer {
  return Buffer.from(hkdfSync('sha256', bearer, '', `sealed ${kind}`, 32));
}

const tokenLength = 43;

/**
 * The token of every form that is shown to the holder of the cookie. Only the holder can compute it.
 * @param bearer the cookie's value
 * @param version of the journey for which the form was made
 */
export function formToken(bearer: string, version = 0): string {
  const token = hashed('form', bearer);
  return version === 0 ? token : `${token}-${version}`;
}

/** The version that a posted token names; `undefined` where the token was not made for the holder of the cookie. */
export function readFormToken(posted: string | null | undefined, bearer: string): number | undefined {
  if (!equalSecrets(posted?.slice(0, tokenLength), formToken(bearer))) return undefined;
  return Number(posted?.slice(tokenLength + 1));
}

/** A separate key for each purpose, derived from the operators' key. */
export function derivedKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
}
