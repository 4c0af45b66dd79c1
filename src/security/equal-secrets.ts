import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two secrets in constant time, so that the duration does not show how much of the secret was right. */
export function equalSecrets(given: string | undefined, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(expected)) && given !== undefined;
}
