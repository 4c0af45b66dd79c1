import { describe, expect, it } from '@jest/globals';
import { clockTime, longDate } from './long-dates.js';

const london = { locale: 'en-GB', timeZone: 'Europe/London' };

describe('dates in long form', () => {
  it('are the bank’s calendar day, whatever day it is elsewhere', () => {
    expect(longDate(new Date('2026-06-30T23:30:00Z'), london)).toBe('1 July 2026');
    expect(longDate(new Date('2026-06-30T23:30:00Z'), { ...london, timeZone: 'America/New_York' })).toBe(
      '30 June 2026',
    );
  });

  it('show the time by the clock of 24 hours, in summer time when it is summer', () => {
    expect(clockTime(new Date('2026-03-03T14:05:00Z'), london)).toBe('14:05');
    expect(longDate(new Date('2026-07-03T23:00:00Z'), london)).toBe('4 July 2026');
    expect(clockTime(new Date('2026-07-03T23:00:00Z'), london)).toBe('00:00');
  });

  it('are in the language of the page', () => {
    expect(longDate(new Date('2026-03-03T14:05:00Z'), { ...london, locale: 'cy-GB' })).toBe('3 Mawrth 2026');
  });
});
