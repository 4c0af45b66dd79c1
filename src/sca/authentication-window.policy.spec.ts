import { describe, expect, it } from '@jest/globals';
import type { WindowRule } from '../endpoint/endpoint-rule.js';
import type { HistoryFilter } from '../request/request-context.js';
import { lastAuthenticationMs, refuseOutsideWindow } from './authentication-window.policy.js';

const now = Date.parse('2026-06-15T12:00:00Z');
const minuteMs = 60_000;
const dayMs = 86_400_000;
const lengthMs = 5 * minuteMs;
const window = { lengthMs, exemptHistoryMs: 90 * dayMs };

/** Whether the window is open, when the store and the token have authentications of these ages. */
const open = (storedAgoMs: number, claimedAgoMs?: number): boolean =>
  refuseOutsideWindow(
    'always',
    window,
    lastAuthenticationMs(now - storedAgoMs, claimedAgoMs === undefined ? undefined : now - claimedAgoMs),
    now,
    undefined,
  ) === undefined;

describe('the authentication window, by the times in the store and the token,', () => {
  it.each([
    ['just before its end', lengthMs - 1, undefined, true],
    ['at its end', lengthMs, undefined, false],
    ['at its very beginning', 0, undefined, true],
    ['when the token is as old as may be', 0, lengthMs - 1, true],
    ['when only the token is too old', 0, lengthMs, false],
    ['when only the store is too old', lengthMs, 0, false],
    ['when both are just young enough', lengthMs - 1, lengthMs - 1, true],
    ['when both are too old', lengthMs, lengthMs, false],
    ['when the token claims the future', lengthMs, -60_000, false],
    ['when the token claims the future and the store does not', lengthMs - 1, -60_000, true],
    ['when the token claims 1970', 0, now, false],
  ])('is measured from the older of the two %s', (_, storedAgoMs, claimedAgoMs, expected) => {
    expect(open(storedAgoMs, claimedAgoMs)).toBe(expected);
  });

  it('reports when it closed, by the time that closed it', () => {
    expect(refuseOutsideWindow('always', window, lastAuthenticationMs(now, now - lengthMs), now, undefined)).toContain(
      'closed at 2026-06-15T12:00:00+00:00',
    );
  });
});

const authenticated = Date.parse('2026-06-15T12:00:00Z');
const closes = authenticated + 5 * minuteMs;

const at = (rule: WindowRule, nowMs: number, filter?: HistoryFilter): string | undefined =>
  refuseOutsideWindow(rule, window, authenticated, nowMs, filter);

describe('the authentication window', () => {
  it('never closes for an exempt endpoint', () => {
    expect(at('exempt', closes + 1_000 * dayMs)).toBeUndefined();
  });

  it('closes five minutes after the authentication, to the millisecond', () => {
    expect([at('always', closes - 1), at('always', closes)]).toEqual([
      undefined,
      "Reauthentication: the customer's 5-minute authentication window closed at 2026-06-15T12:05:00+00:00. " +
        'Send the customer to authenticate again, with the same consent.',
    ]);
    expect([at('recent-history', closes - 1), at('recent-history', closes)]).toEqual([undefined, expect.any(String)]);
  });

  it('is open when the store’s time is slightly ahead of this clock', () => {
    expect(at('always', authenticated - 1_000)).toBeUndefined();
  });

  it('exempts history that begins less than 90 days ago, to the millisecond', () => {
    const edge = closes - 90 * dayMs;
    expect(at('recent-history', closes, { fromMs: edge + 1 })).toBeUndefined();
    expect(at('recent-history', closes, { fromMs: edge })).toContain('fromBookingDateTime is 90 days old or more');
    expect(at('recent-history', closes, { fromMs: closes + dayMs })).toBeUndefined();
    expect(at('recent-history', closes, {})).toContain('the request has no fromBookingDateTime');
  });

  it.each([closes, closes + 1, closes + 59_999, closes + 30_000, closes + dayMs / 3])(
    'names a fromBookingDateTime that is exempt for at least another minute: at %i',
    (nowMs) => {
      const [, earliest = ''] = /\((\S+) or later\)/.exec(at('recent-history', nowMs, {}) ?? '') ?? [];
      const fromMs = Date.parse(earliest);
      expect(at('recent-history', nowMs, { fromMs })).toBeUndefined();
      expect(at('recent-history', nowMs + minuteMs, { fromMs })).toBeUndefined();
      expect(at('recent-history', nowMs + 2 * minuteMs, { fromMs })).toEqual(expect.any(String));
    },
  );

  it('uses the time of the first page for later pages, for 15 minutes', () => {
    const page = { firstAskedAtMs: closes };
    const fromMs = closes - 90 * dayMs + 1;
    for (const [afterMs, passes] of [
      [0, true],
      [15 * minuteMs - 1, true],
      [15 * minuteMs, true],
      [15 * minuteMs + 1, false],
    ] as const)
      expect([afterMs, at('recent-history', closes + afterMs, { fromMs, page }) === undefined]).toEqual([
        afterMs,
        passes,
      ]);
  });

  it('does not exempt a later page of an answer without a fromBookingDateTime', () => {
    expect(at('recent-history', closes, { page: { firstAskedAtMs: closes - 1 } })).toEqual(expect.any(String));
  });

  it('names its configured length', () => {
    const words = [30_000, 60_000, 90_000, 600_000].map((lengthMs) =>
      refuseOutsideWindow('always', { ...window, lengthMs }, authenticated, authenticated + lengthMs, undefined),
    );
    expect(words.map((line) => /\d+-(minute|second)/.exec(line ?? '')?.[0])).toEqual([
      '30-second',
      '1-minute',
      '90-second',
      '10-minute',
    ]);
  });
});
