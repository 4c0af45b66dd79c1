import { describe, expect, it } from '@jest/globals';
import { countedAtMs, isJustAuthenticated, nextAllowedAtMs, periodMs } from './unattended-access.policy.js';

const nowMs = Date.parse('2026-06-15T12:00:00.000Z');

describe('the limit of reads without the customer', () => {
  const next = (limit: number, ...agoMs: number[]): number | undefined =>
    nextAllowedAtMs(
      countedAtMs(
        agoMs.map((ago) => nowMs - ago),
        nowMs,
      ),
      limit,
    );

  it('admits one more read while fewer reads than the limit lie in the last 24 hours', () => {
    expect(next(4)).toBeUndefined();
    expect(next(4, 0, 1, 2)).toBeUndefined();
  });

  it('names the moment at which the oldest counted read is 24 hours old', () => {
    expect(next(4, 0, 3_000, 1_000, 2_000)).toBe(nowMs - 3_000 + periodMs);
    expect(next(2, 0, 3_000, 1_000, 2_000)).toBe(nowMs - 1_000 + periodMs);
  });

  it('counts a read until it is 24 hours old', () => {
    expect(next(1, periodMs - 1)).toBe(nowMs + 1);
    expect(next(1, periodMs)).toBeUndefined();
  });
});

describe('a customer', () => {
  it('is present until the authentication window ends', () => {
    expect(isJustAuthenticated(nowMs - 299_999, nowMs, 300_000)).toBe(true);
    expect(isJustAuthenticated(nowMs - 300_000, nowMs, 300_000)).toBe(false);
  });
});
