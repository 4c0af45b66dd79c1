import type { KeyObject } from 'node:crypto';
import { CommandFailed } from '../../src/command-line/command.js';
import { keyIdOf, publicKeyOf, rawPublicKey, trailKey } from '../../src/trail/root-record.js';

/** The keys with which the records of a trail may be signed, by their names in the records. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

/**
 * The public key of TRAIL_KEY, and those that the command line gives.
 * @throws CommandFailed where no key is given, or a text is not a key
 */
export function publicKeys(secret: string | undefined, given: readonly string[]): PublicKeys {
  const keys = [...(secret === undefined ? [] : [trailKey(secret).publicKey]), ...given.map(readKey)];
  if (keys.length === 0)
    throw new CommandFailed(
      'no key is given: set TRAIL_KEY, or name the public key with --key (`trail key` prints it)',
    );
  return new Map(keys.map((key) => [keyIdOf(key), key]));
}

/** As the commands print and take it. */
export function publicKeyText(key: KeyObject): string {
  return rawPublicKey(key).toString('base64url');
}

function readKey(text: string): KeyObject {
  const raw = Buffer.from(text, 'base64url');
  if (raw.length !== 32 || raw.toString('base64url') !== text)
    throw new CommandFailed('--key is not a public key of a trail: `trail key` prints it, 43 characters');
  return publicKeyOf(raw);
}
