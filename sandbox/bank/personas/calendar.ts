import { dayMs, dayOf } from '../stamps.js';
import { everydayTerms } from './counterparties.js';
import { exactly } from './history.js';
import type { Pattern, Posting } from './history.js';
import type { MakePersona } from './persona.js';

export const calendar: MakePersona = (nowMs) => {
  const leapDay = latest(nowMs, leapDayOf);
  return {
    name: 'calendar',
    person: { key: 'C1013', name: 'Leap Daley' },
    shows:
      '29 February, both changes of the clocks, summer bookings after 23:00Z (the next day in London), days without a time.',
    accounts: [
      {
        key: 'A101301',
        prod: 'CUR100',
        label: 'Calendar Account',
        num: '10010125',
        closing: 366_00,
        days: 366 * 8 + 2,
        history: [calendarHistory(nowMs)],
        orders: [
          {
            key: 'A101301-O1',
            rule: 'M12/29',
            ref: 'LEAP',
            first: dayOf(leapDay),
            next: dayOf(next(nowMs, leapDayOf)),
            last: '',
            status: 'ON',
            amt: 29_00,
            ccy: 'GBP',
            reach: 'DOM',
            payee: { form: 'UKACC', id: '20000055779911', name: 'Leap Club' },
          },
        ],
        terms: [everydayTerms],
      },
    ],
  };
};

function calendarHistory(nowMs: number): Pattern {
  const leapDay = latest(nowMs, leapDayOf);
  const clocksForward = latest(nowMs, (year) => lastSunday(year, 2));
  const clocksBack = latest(nowMs, (year) => lastSunday(year, 9));
  const summer = latest(nowMs, (year) => Date.UTC(year, 6, 10));
  const newYear = latest(nowMs, (year) => Date.UTC(year, 0, 1));
  return exactly(
    at('leap-day', leapDay, '12:00', -29_00, 'LEAP DAY LUNCH'),
    at('leap-eve', leapDay, '23:59', -29_29, 'LEAP DAY LATE'),
    { ...at('leap-only', leapDay, '00:00', 2_29, 'LEAP DAY WITHOUT A TIME'), dayOnly: true },
    // 00:59:59 in winter time is followed by 02:00 in summer time.
    at('forward-before', clocksForward, '00:59', -1_00, 'BEFORE THE CLOCKS GO FORWARD'),
    at('forward-after', clocksForward, '01:00', -1_01, 'AFTER THE CLOCKS GO FORWARD'),
    at('forward-late', clocksForward, '23:30', -1_02, 'SPRING SUNDAY 23:30Z'),
    // 01:30 in London happens twice.
    at('back-first', clocksBack, '00:30', -2_00, 'HALF PAST ONE, SUMMER TIME'),
    at('back-second', clocksBack, '01:30', -2_01, 'HALF PAST ONE, WINTER TIME'),
    at('back-eve', clocksBack - dayMs, '23:30', -2_02, 'AUTUMN SATURDAY 23:30Z'),
    {
      ...at('summer-night', summer, '23:30', -7_11, 'SUMMER NIGHT 23:30Z'),
      madeMs: summer + 23 * 3_600_000 + 10 * 60_000,
    },
    at('summer-evening', summer, '22:59', -7_10, 'SUMMER EVENING 22:59Z'),
    { ...at('summer-only', summer, '00:00', 7_00, 'SUMMER DAY WITHOUT A TIME'), dayOnly: true },
    at('new-year', newYear, '00:00', 1_01, 'NEW YEAR MIDNIGHT'),
    at('old-year', newYear - dayMs, '23:59', -31_12, 'OLD YEAR'),
  );
}

function at(key: string, dayStartMs: number, time: string, amount: number, text: string): Posting {
  const [hours, minutes] = time.split(':').map(Number);
  return {
    key: `${key}-${dayOf(dayStartMs)}`,
    bookedMs: dayStartMs + ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000,
    amount,
    text,
  };
}

function leapDayOf(year: number): number | undefined {
  const day = Date.UTC(year, 1, 29);
  return new Date(day).getUTCMonth() === 1 ? day : undefined;
}

function next(nowMs: number, ofYear: (year: number) => number | undefined): number {
  for (let year = new Date(nowMs).getUTCFullYear(); ; year++) {
    const day = ofYear(year);
    if (day !== undefined && day > nowMs) return day;
  }
}

/** The last such day that ended at least two days ago. */
function latest(nowMs: number, ofYear: (year: number) => number | undefined): number {
  for (let year = new Date(nowMs).getUTCFullYear(); ; year--) {
    const day = ofYear(year);
    if (day !== undefined && day < nowMs - 2 * dayMs) return day;
  }
}

/** The clocks change on the last Sunday of March and of October, at 01:00 UTC. */
function lastSunday(year: number, month: number): number {
  const monthEnd = new Date(Date.UTC(year, month + 1, 0));
  return monthEnd.getTime() - monthEnd.getUTCDay() * dayMs;
}
