import { describe, expect, it } from '@jest/globals';
import { longDate, longDateTime } from './long-dates.js';

describe('dates in long form', () => {
  it('are the bank’s calendar day, whatever day it is elsewhere', () => {
    expect(longDate(new Date('2026-06-30T23:30:00Z'), 'Europe/London')).toBe('1 July 2026');
    expect(longDate(new Date('2026-06-30T23:30:00Z'), 'America/New_York')).toBe('30 June 2026');
  });

  it('tell the time by the clock of 24 hours, in summer time when it is summer', () => {
    expect(longDateTime(new Date('2026-03-03T14:05:00Z'), 'Europe/London')).toBe('3 March 2026 at 14:05');
    expect(longDateTime(new Date('2026-07-03T23:00:00Z'), 'Europe/London')).toBe('4 July 2026 at 00:00');
  });
});
