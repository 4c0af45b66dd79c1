import type { UnattendedAccessConfig } from '../config/config.js';

/** The period over which unattended requests are counted: UK-RTS, article 36(5). */
export const periodMs = 24 * 60 * 60_000;

/** Right after an authentication the customer counts as present, whatever the TPP sends. */
export function isJustAuthenticated(lastAuthenticatedAtMs: number, nowMs: number, windowMs: number): boolean {
  return nowMs - lastAuthenticatedAtMs < windowMs;
}

/** The times of unattended reads that still count, newest first. */
export function countedAtMs(atMs: readonly number[], nowMs: number): readonly number[] {
  return atMs.filter((at) => nowMs - at < periodMs).sort((one, other) => other - one);
}

/**
 * The time from which one more read is within the limit; `undefined` where it is now. @param counted from {@link
 * countedAtMs}
 */
export function nextAllowedAtMs(counted: readonly number[], limit: number): number | undefined {
  const oldestThatCounts = counted[limit - 1];
  return oldestThatCounts === undefined ? undefined : oldestThatCounts + periodMs;
}

/** The items of `RateLimit-Policy` that this check enforces. */
export function unattendedPolicy({ mode, limit }: UnattendedAccessConfig): readonly string[] {
  return mode === 'enforce' ? [`"unattended";q=${limit};w=${periodMs / 1_000}`] : [];
}
