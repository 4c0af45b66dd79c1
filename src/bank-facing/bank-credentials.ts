import type { GatewayConfig } from '../config/config.js';
import { createHash, timingSafeEqual } from 'node:crypto';

/** Credentials of the callers of the bank's port. Two are valid at once, so that the second can replace the first. */
export class BankCredentials {
  private readonly digests: readonly Buffer[];

  constructor(credentials: readonly string[]) {
    this.digests = credentials.map(digest);
  }

  /** Constant time: each is compared, so that nothing tells which was right, nor how much of it. */
  accepts(given: string): boolean {
    const presented = digest(given);
    return this.digests.map((expected) => timingSafeEqual(presented, expected)).includes(true);
  }
}

function digest(credential: string): Buffer {
  return createHash('sha256').update(credential).digest();
}

/** One, or two while the bank changes from the first to the second. */
export function credentialsOf({
  bankCredential,
  bankCredentialNext,
}: Pick<GatewayConfig, 'bankCredential' | 'bankCredentialNext'>): readonly string[] {
  return bankCredentialNext === undefined ? [bankCredential] : [bankCredential, bankCredentialNext];
}
