import { describe, expect, it } from '@jest/globals';
import { isJustAuthenticated, nextAllowedAtMs, periodMs } from './unattended-access.policy.js';

const nowMs = Date.parse('2026-06-15T12:00:00.000Z');

describe('the next read without the customer, after one beyond the limit,', () => {
  const next = (limit: number, ...agoMs: number[]): number =>
    nextAllowedAtMs(
      agoMs.map((ago) => nowMs - ago),
      limit,
      nowMs,
    );

  it('is allowed when the oldest read that counts is 24 hours old', () => {
    expect(next(4, 0, 3_000, 1_000, 2_000)).toBe(nowMs - 3_000 + periodMs);
    expect(next(2, 0, 3_000, 1_000, 2_000)).toBe(nowMs - 1_000 + periodMs);
  });

  it('is allowed then also where the reads of this moment are not known yet', () => {
    expect(next(4, 3_000, 1_000)).toBe(nowMs - 3_000 + periodMs);
    expect(next(4)).toBe(nowMs + periodMs);
  });
});

describe('a customer', () => {
  it('is present until the authentication window ends', () => {
    expect(isJustAuthenticated(nowMs - 299_999, nowMs, 300_000)).toBe(true);
    expect(isJustAuthenticated(nowMs - 300_000, nowMs, 300_000)).toBe(false);
  });
});
