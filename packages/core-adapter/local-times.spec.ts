import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RowFault } from './core-rows.js';
import { calendarDate, instantOf, localDayOf, startOfLocalDay } from './local-times.js';

const notDays = ['', '2023-02-29', '2024-02-30', '2024-13-01', '2024-00-10', '2024-01-00', '0000-01-01', '20240101'];
const notTexts = ['2024-1-1', ' 2024-01-01', '2024-01-01\n', '2024-01-01T00:00:00', 20240101, null, undefined];

describe('calendarDate', () => {
  it.each(['2024-02-29', '0001-01-01', '9999-12-31'])('reads the day %s', (date) => {
    expect(calendarDate(date, 'booked')).toEqual({ date });
  });

  it.each([...notDays, ...notTexts])('refuses %p', (text) => {
    expect(() => calendarDate(text, 'booked')).toThrow(new RowFault('booked', 'not a day'));
  });
});

describe('instantOf', () => {
  it.each([
    ['2026-01-15T09:30:00', 'Europe/London', '2026-01-15T09:30:00.000Z'],
    ['2026-07-15T09:30:00', 'Europe/London', '2026-07-15T08:30:00.000Z'],
    ['2026-07-15T09:30:00.250', 'Europe/London', '2026-07-15T08:30:00.250Z'],
    ['2026-07-15T00:00:00', 'Europe/London', '2026-07-14T23:00:00.000Z'],
    ['2026-07-15T09:30:00', 'UTC', '2026-07-15T09:30:00.000Z'],
    ['2026-07-15T09:30:00', 'Asia/Kathmandu', '2026-07-15T03:45:00.000Z'],
    ['2026-01-15T09:30:00', 'Pacific/Kiritimati', '2026-01-14T19:30:00.000Z'],
    ['2026-01-15T09:30:00', 'Pacific/Niue', '2026-01-15T20:30:00.000Z'],
    // The last moment before, and the first after, the hour that London skips.
    ['2026-03-29T00:59:59.999', 'Europe/London', '2026-03-29T00:59:59.999Z'],
    ['2026-03-29T02:00:00', 'Europe/London', '2026-03-29T01:00:00.000Z'],
    // The hour that London has twice, and the moments around it.
    ['2026-10-25T00:59:59.999', 'Europe/London', '2026-10-24T23:59:59.999Z'],
    ['2026-10-25T01:00:00', 'Europe/London', '2026-10-25T00:00:00.000Z'],
    ['2026-10-25T01:59:59.999', 'Europe/London', '2026-10-25T00:59:59.999Z'],
    ['2026-10-25T02:00:00', 'Europe/London', '2026-10-25T02:00:00.000Z'],
    // Half an hour twice.
    ['2026-04-05T01:30:00', 'Australia/Lord_Howe', '2026-04-04T14:30:00.000Z'],
    ['2026-04-05T02:00:00', 'Australia/Lord_Howe', '2026-04-04T15:30:00.000Z'],
  ])('of %s in %s is %s', (local, timeZone, instant) => {
    expect(instantOf(local, timeZone, 'booked').toISOString()).toBe(instant);
  });

  it.each([
    ['2026-03-29T01:00:00', 'Europe/London'],
    ['2026-03-29T01:59:59.999', 'Europe/London'],
    ['2018-11-04T00:30:00', 'America/Sao_Paulo'],
    ['2026-10-04T02:15:00', 'Australia/Lord_Howe'],
    ['2011-12-30T12:00:00', 'Pacific/Apia'],
  ])('refuses %s, which the clocks in %s skip', (local, timeZone) => {
    expect(() => instantOf(local, timeZone, 'booked')).toThrow(new RowFault('booked', 'a time that the clocks skip'));
  });

  it.each([
    ...notDays.map((day) => `${day}T09:30:00`),
    '2026-01-15',
    '2026-01-15 09:30:00',
    '2026-01-15T09:30',
    '2026-01-15T24:00:00',
    '2026-01-15T09:60:00',
    '2026-01-15T09:30:60',
    '2026-01-15T09:30:00.25',
    '2026-01-15T09:30:00Z',
    '2026-01-15T09:30:00+00:00',
    '2026-01-15T09:30:00\n',
    20260115,
    new Date(0),
    undefined,
  ])('refuses %p, which is not a local time', (local) => {
    expect(() => instantOf(local, 'Europe/London', 'booked')).toThrow(new RowFault('booked', 'not a local time'));
  });

  it('gives back the instant whose local time the runtime writes, or the same hour before the clocks went back', () => {
    fc.assert(
      fc.property(anInstant, aZone, (at, timeZone) => {
        const local = runtimeText(at, timeZone);
        const read = instantOf(local, timeZone, 'booked');
        expect(runtimeText(read, timeZone)).toBe(local);
        expect(read.getTime()).toBeLessThanOrEqual(at.getTime());
      }),
      { numRuns: 300 },
    );
  });
});

describe('localDayOf', () => {
  it.each([
    ['2026-06-30T22:59:59.999Z', 'Europe/London', '2026-06-30'],
    ['2026-06-30T23:00:00.000Z', 'Europe/London', '2026-07-01'],
    ['2026-12-31T23:59:59.999Z', 'Europe/London', '2026-12-31'],
  ])('at %s in %s is %s', (at, timeZone, day) => {
    expect(localDayOf(new Date(at), timeZone)).toBe(day);
  });

  it('agrees with the runtime at any instant in zones of every kind', () => {
    fc.assert(
      fc.property(anInstant, aZone, (at, timeZone) => {
        expect(localDayOf(at, timeZone)).toBe(runtimeText(at, timeZone).slice(0, 10));
      }),
      { numRuns: 300 },
    );
  });
});

describe('startOfLocalDay', () => {
  it.each([
    ['2026-01-15', 'Europe/London', '2026-01-15T00:00:00.000Z'],
    ['2026-07-15', 'Europe/London', '2026-07-14T23:00:00.000Z'],
    ['2026-03-29', 'Europe/London', '2026-03-29T00:00:00.000Z'],
    ['2026-03-30', 'Europe/London', '2026-03-29T23:00:00.000Z'],
    // Clocks that skip midnight begin the day at one o'clock.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // Clocks that go back at midnight: the day before has that hour twice.
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('of %s in %s is %s', (date, timeZone, instant) => {
    expect(startOfLocalDay({ date }, timeZone, 'day').toISOString()).toBe(instant);
  });

  it('refuses a day that the calendar of a zone skips', () => {
    expect(() => startOfLocalDay({ date: '2011-12-30' }, 'Pacific/Apia', 'day')).toThrow(
      new RowFault('day', 'a day that the calendar skips'),
    );
  });

  it.each(notDays)('refuses %p', (date) => {
    expect(() => startOfLocalDay({ date }, 'Europe/London', 'day')).toThrow(new RowFault('day', 'not a day'));
  });

  it('is the first millisecond of its day in zones of every kind', () => {
    fc.assert(
      fc.property(anInstant, aZone, (at, timeZone) => {
        const date = localDayOf(at, timeZone);
        const start = startOfLocalDay({ date }, timeZone, 'day');
        expect(localDayOf(start, timeZone)).toBe(date);
        expect(localDayOf(new Date(start.getTime() - 1), timeZone) < date).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

const anInstant = fc.date({ min: new Date('1972-01-02'), max: new Date('2037-12-30'), noInvalidDate: true });
const aZone = fc.constantFrom(
  'Europe/London',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'America/Havana',
  'UTC',
);

const writers = new Map<string, Intl.DateTimeFormat>();

/** `2026-03-29T09:30:00.250` as the runtime's own formatter has it. */
function runtimeText(at: Date, timeZone: string): string {
  const writer =
    writers.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  writers.set(timeZone, writer);
  return `${writer.format(at).replace(' ', 'T')}.${String(at.getTime() % 1000).padStart(3, '0')}`;
}
