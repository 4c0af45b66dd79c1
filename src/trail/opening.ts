import { sign, verify, type KeyObject } from 'node:crypto';
import type { Signature, TrailKey } from './root-record.js';
import { textIn, type StoredEvent } from './stored-event.js';

/**
 * Signs the first line of a segment: only a gateway begins one. The signature is over the segment's name, which has the run of the
 * process and the time of the opening, so it is good for no other segment.
 */
export function signOpening(segment: string, { keyId, privateKey }: TrailKey): Signature {
  return { keyId, signature: sign(undefined, signedBytes(segment), privateKey).toString('base64url') };
}

/**
 * Why the segment was not opened by a gateway with one of the keys; `undefined` where it was.
 * @param first the event of its first line
 */
export function openingFault(
  segment: string,
  first: StoredEvent | undefined,
  keys: ReadonlyMap<string, KeyObject>,
): string | undefined {
  const [keyId, signature] = ['keyId', 'signature'].map((member) => (first && textIn(first, member)) ?? '');
  if (!keyId || !signature) return 'its first line has no signature of a gateway';
  const key = keys.get(keyId);
  if (key === undefined) return `its first line has a signature of the key ${keyId}, which is not given here`;
  return verify(undefined, signedBytes(segment), key, Buffer.from(signature, 'base64url'))
    ? undefined
    : 'the signature in its first line is not of this name';
}

/** Longer than the hash that the signature of a record covers. */
function signedBytes(segment: string): Buffer {
  return Buffer.from(`account-information-gateway opened ${segment}`);
}
