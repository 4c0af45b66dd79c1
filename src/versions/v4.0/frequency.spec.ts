import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatFrequency, type Frequency } from '../shared/frequency.js';
import { frequencyCode } from './frequency.js';

const weekday = fc.integer({ min: 1, max: 7 });
const anyFrequency: fc.Arbitrary<Frequency> = fc.oneof(
  fc.record({ every: fc.constant('day' as const), interval: fc.integer({ min: 0, max: 40 }) }),
  fc.constant({ every: 'working-day' as const }),
  fc.record({ every: fc.constant('week' as const), interval: fc.integer({ min: 0, max: 10 }), weekday }),
  fc.record({
    every: fc.constant('month' as const),
    interval: fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 12, 24),
    day: fc.integer({ min: -6, max: 32 }),
  }),
  fc.record({ every: fc.constant('month' as const), weekOfMonth: fc.integer({ min: 0, max: 6 }), weekday }),
  fc.record({ every: fc.constant('quarter' as const), days: fc.constantFrom('english', 'scottish', 'received') }),
  fc.constant({ every: 'other' as const }),
);

/** The published table, from the codes to the expressions. */
const periods: Readonly<Record<string, string>> = {
  WEEK: 'IntrvlWkDay:01:',
  FRTN: 'IntrvlWkDay:02:',
  FOWK: 'IntrvlWkDay:04:',
  MNTH: 'IntrvlMnthDay:01:',
  TWMH: 'IntrvlMnthDay:02:',
  QURT: 'IntrvlMnthDay:03:',
  FOMH: 'IntrvlMnthDay:04:',
  FIMH: 'IntrvlMnthDay:05:',
  MIAN: 'IntrvlMnthDay:06:',
  YEAR: 'IntrvlMnthDay:12:',
  TWYR: 'IntrvlMnthDay:24:',
};

function expressionOf({ Type, PointInTime }: ReturnType<typeof frequencyCode>): string {
  if (Type === 'NONE') return 'NotKnown';
  if (Type === 'WODL') return 'EvryWorkgDay';
  if (Type === 'DAIL') return PointInTime === undefined ? 'EvryDay' : `IntrvlDay:${PointInTime}`;
  const period = periods[Type];
  return period === undefined ? Type : `${period}${PointInTime?.replace('-', '-0') ?? ''}`;
}

describe('frequencyCode', () => {
  it('takes every frequency of v3.1 through the table, and back unchanged', () => {
    fc.assert(
      fc.property(anyFrequency, (frequency) => {
        expect(expressionOf(frequencyCode(frequency))).toBe(formatFrequency(frequency));
      }),
      { numRuns: 300 },
    );
  });

  it.each<[Frequency, object]>([
    [
      { every: 'month', interval: 1, day: 15 },
      { Type: 'MNTH', PointInTime: '15' },
    ],
    [
      { every: 'month', interval: 12, day: -1 },
      { Type: 'YEAR', PointInTime: '-1' },
    ],
    [
      { every: 'week', interval: 1, weekday: 7 },
      { Type: 'WEEK', PointInTime: '07' },
    ],
    [{ every: 'week', interval: 3, weekday: 1 }, { Type: 'IntrvlWkDay:03:01' }],
    [{ every: 'month', weekOfMonth: 2, weekday: 1 }, { Type: 'WkInMnthDay:02:01' }],
    [{ every: 'quarter', days: 'english' }, { Type: 'QtrDay:ENGLISH' }],
    [{ every: 'other' }, { Type: 'NONE' }],
  ])('writes %j as %j', (frequency, code) => {
    expect(frequencyCode(frequency)).toEqual(code);
  });
});
