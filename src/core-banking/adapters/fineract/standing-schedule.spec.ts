import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type PaymentDays, paymentDays, type Recurrence } from './standing-schedule.js';

const dayMs = 86_400_000;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Fineract's job, day by day, with Java's calendar: `withDayOfMonth` throws, `withMonth` and `plusMonths` go to the last
 * day, `ChronoUnit.MONTHS.between` counts whole months. It shares no code with the adapter.
 */
function isPaidOn(date: string, { every, interval, on, validFrom, validTill }: Recurrence): boolean {
  if (date < validFrom.date || (validTill !== undefined && date >= validTill.date)) return false;
  let start = validFrom.date;
  if (on !== undefined && (every === 'month' || every === 'year')) {
    if (on.day > lastDay(start)) return false;
    start = start.slice(0, 8) + String(on.day).padStart(2, '0');
    if (every === 'year') start = plusMonths(start, on.month - Number(start.slice(5, 7)));
    if (start < validFrom.date) start = plusMonths(start, every === 'month' ? 1 : 12);
  }
  if (date < start) return false;
  const days = (Date.parse(date) - Date.parse(start)) / dayMs;
  if (every === 'day') return days % interval === 0;
  if (every === 'week') return days % 7 === 0 && (days / 7) % interval === 0;
  const months = wholeMonths(start, date);
  const units = every === 'month' ? months : Math.floor(months / 12);
  return units % interval === 0 && plusMonths(start, every === 'month' ? units : 12 * units) === date;
}

const number = (date: string, from: number, to: number): number => Number(date.slice(from, to));
const lastDay = (date: string): number => new Date(Date.UTC(number(date, 0, 4), number(date, 5, 7), 0)).getUTCDate();
function wholeMonths(from: string, to: string): number {
  const packed = (date: string): number => (number(date, 0, 4) * 12 + number(date, 5, 7)) * 32 + number(date, 8, 10);
  return Math.trunc((packed(to) - packed(from)) / 32);
}
function plusMonths(date: string, months: number): string {
  const first = new Date(Date.UTC(number(date, 0, 4), number(date, 5, 7) - 1 + months, 1)).toISOString().slice(0, 10);
  return first.slice(0, 8) + String(Math.min(number(date, 8, 10), lastDay(first))).padStart(2, '0');
}

const from = Date.parse('2023-11-01');
const days = 1500;

function byBruteForce(recurrence: Recurrence, today: string): PaymentDays {
  const paid = Array.from({ length: days }, (_, index) => dateOf(from + index * dayMs)).filter((date) =>
    isPaidOn(date, recurrence),
  );
  const wrap = (date: string | undefined): { date: string } | undefined => (date === undefined ? undefined : { date });
  return {
    first: wrap(paid[0]),
    next: wrap(paid.find((date) => date >= today)),
    ...(recurrence.validTill !== undefined && { last: wrap(paid.at(-1)) }),
  };
}

const aDay = (upTo: number) =>
  fc.integer({ min: 0, max: upTo }).map((index) => ({ date: dateOf(from + index * dayMs) }));
const recurrences = fc.record({
  every: fc.constantFrom('day', 'week', 'month', 'year'),
  interval: fc.integer({ min: 1, max: 14 }),
  on: fc.record({
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(28, 29, 30, 31)),
  }),
  validFrom: aDay(500),
  validTill: fc.option(aDay(days), { nil: undefined }),
}) as fc.Arbitrary<Recurrence>;

describe('the payment days of a standing instruction', () => {
  it('are the days on which the job would pay it', () => {
    fc.assert(
      fc.property(recurrences, aDay(900), (recurrence, today) => {
        const { first, next, last } = paymentDays(recurrence, today);
        const expected = byBruteForce(recurrence, today.date);
        // Later days were not tried.
        const within = (day: { date: string } | undefined) =>
          day && day.date < dateOf(from + days * dayMs) ? day : undefined;
        expect(within(first)).toEqual(expected.first);
        expect(within(next)).toEqual(expected.next);
        expect(last).toEqual(expected.last);
      }),
      { numRuns: 60 },
    );
  });

  const next = (recurrence: Partial<Recurrence>, today: string): string | undefined =>
    paymentDays({ every: 'month', interval: 1, validFrom: { date: '2026-01-31' }, ...recurrence }, { date: today }).next
      ?.date;

  it.each([
    ['today counts', { on: { month: 1, day: 31 } }, '2026-01-31', '2026-01-31'],
    ['the 31st, in February', { on: { month: 1, day: 31 } }, '2026-02-01', '2026-03-31'],
    ['the 31st, in a month of thirty days', { on: { month: 1, day: 31 } }, '2026-04-01', '2026-05-31'],
    ['the 30th that begins a month later, in February', { on: { month: 1, day: 30 } }, '2026-02-01', '2026-02-28'],
    ['and stays on the 28th', { on: { month: 1, day: 30 } }, '2026-03-01', '2026-03-28'],
    ['every Saturday', { every: 'week' }, '2026-02-01', '2026-02-07'],
    ['every third day', { every: 'day', interval: 3 }, '2026-02-01', '2026-02-03'],
    [
      'the 29th of February',
      { every: 'year', on: { month: 2, day: 29 }, validFrom: { date: '2024-01-29' } },
      '2024-03-01',
      '2028-02-29',
    ],
    [
      'the 29th of February across 2100',
      { every: 'year', on: { month: 2, day: 29 }, validFrom: { date: '2024-01-29' } },
      '2096-03-01',
      '2104-02-29',
    ],
    ['before validTill', { every: 'day', validTill: { date: '2026-02-02' } }, '2026-02-01', '2026-02-01'],
    ['not on validTill', { every: 'day', validTill: { date: '2026-02-02' } }, '2026-02-02', undefined],
    [
      'the 31st where the first month has thirty days: the job throws',
      { on: { month: 1, day: 31 }, validFrom: { date: '2026-04-01' } },
      '2026-04-01',
      undefined,
    ],
  ] as [string, Partial<Recurrence>, string, string | undefined][])('%s', (_, recurrence, today, expected) => {
    expect(next(recurrence, today)).toBe(expected);
  });
});
