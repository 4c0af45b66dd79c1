import type { UnattendedAccessRule } from '../profiles/service-rules.js';

/** The period over which unattended requests are counted: UK-RTS, article 36(5). */
export const periodMs = 24 * 60 * 60_000;

/** Right after an authentication the customer counts as present, whatever the TPP sends. */
export function isJustAuthenticated(lastAuthenticatedAtMs: number, nowMs: number, windowMs: number): boolean {
  return nowMs - lastAuthenticatedAtMs < windowMs;
}

/** When the next read is within the limit, where this one is not. @param atMs the times of the reads that count */
export function nextAllowedAtMs(atMs: readonly number[], limit: number, nowMs: number): number {
  const newestFirst = atMs.toSorted((one, other) => other - one);
  // Reads that are missing here reached the limit at this moment, so the oldest one is among those that are known.
  return (newestFirst[limit - 1] ?? newestFirst.at(-1) ?? nowMs) + periodMs;
}

/** The items of `RateLimit-Policy` that this check enforces. */
export function unattendedPolicy({ mode, limit }: UnattendedAccessRule): readonly string[] {
  return mode === 'enforce' ? [`"unattended";q=${limit};w=${periodMs / 1_000}`] : [];
}
