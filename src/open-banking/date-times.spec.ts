import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { calendarDay, formatDateTime, instantOf } from './date-times.js';

const fourDigitYears = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

const notDates = [
  new Date(Number.NaN),
  new Date('-000001-12-31T23:59:59.999Z'),
  new Date('0000-12-31T23:59:59.999Z'),
  new Date('+010000-01-01T00:00:00.000Z'),
  { date: '' },
  { date: '2023-02-29' },
  { date: '2024-02-30' },
  { date: '2024-04-31' },
  { date: '2024-13-01' },
  { date: '2024-00-10' },
  { date: '2024-01-00' },
  { date: '0000-01-01' },
  { date: '20240101' },
  { date: '2024-1-1' },
  { date: '2024-01-01T00:00:00Z' },
  { date: ' 2024-01-01' },
  { date: '2024-01-01\n' },
];

describe('formatDateTime', () => {
  it.each([
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59+00:00'],
    ['2024-07-01T00:30:00+01:00', '2024-06-30T23:30:00+00:00'],
    ['2024-01-02T03:04:05.006Z', '2024-01-02T03:04:05.006+00:00'],
    ['2024-01-02T03:04:05.120Z', '2024-01-02T03:04:05.120+00:00'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999+00:00'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00+00:00'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00+00:00'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999+00:00'],
  ])('writes %s as %s', (at, text) => {
    expect(formatDateTime(new Date(at))).toBe(text);
  });

  it.each(['2024-02-29', '0001-01-01', '9999-12-31', '2024-03-31', '1969-12-31'])(
    'writes the day %s without a time as its own midnight',
    (date) => {
      expect(formatDateTime({ date })).toBe(`${date}T00:00:00+00:00`);
    },
  );

  it.each(notDates)('refuses %j', (at) => {
    expect(() => formatDateTime(at)).toThrow(RangeError);
    expect(() => instantOf(at)).toThrow(RangeError);
    expect(() => calendarDay(at, 'Europe/London')).toThrow(RangeError);
  });

  it('names the same instant as the runtime does', () => {
    fc.assert(
      fc.property(fourDigitYears, (at) => {
        expect(formatDateTime(at)).toBe(at.toISOString().replace(/(?:\.000)?Z$/, '+00:00'));
      }),
      { numRuns: 300 },
    );
  });
});

describe('instantOf', () => {
  it('takes a day without a time as its 00:00 UTC', () => {
    expect(instantOf({ date: '2024-03-31' })).toBe(Date.UTC(2024, 2, 31));
    expect(instantOf(new Date(1234))).toBe(1234);
  });
});

describe('calendarDay', () => {
  it.each([
    // The last and the first milliseconds of days round both changes of the clocks in London.
    ['Europe/London', '2024-03-30T23:59:59.999Z', '2024-03-30'],
    ['Europe/London', '2024-03-31T00:00:00.000Z', '2024-03-31'],
    ['Europe/London', '2024-03-31T22:59:59.999Z', '2024-03-31'],
    ['Europe/London', '2024-03-31T23:00:00.000Z', '2024-04-01'],
    ['Europe/London', '2024-10-26T22:59:59.999Z', '2024-10-26'],
    ['Europe/London', '2024-10-26T23:00:00.000Z', '2024-10-27'],
    ['Europe/London', '2024-10-27T23:59:59.999Z', '2024-10-27'],
    ['Europe/London', '2024-10-28T00:00:00.000Z', '2024-10-28'],
    ['Europe/London', '2024-06-30T23:30:00.000Z', '2024-07-01'],
    ['Asia/Kathmandu', '2024-01-01T18:14:59.999Z', '2024-01-01'],
    ['Asia/Kathmandu', '2024-01-01T18:15:00.000Z', '2024-01-02'],
    ['Asia/Kolkata', '2024-01-01T18:30:00.000Z', '2024-01-02'],
    ['Australia/Lord_Howe', '2024-04-06T12:59:59.999Z', '2024-04-06'],
    ['Australia/Lord_Howe', '2024-04-06T13:00:00.000Z', '2024-04-07'],
    ['Australia/Lord_Howe', '2024-04-07T13:29:59.999Z', '2024-04-07'],
    ['Australia/Lord_Howe', '2024-04-07T13:30:00.000Z', '2024-04-08'],
    ['Pacific/Chatham', '2024-01-01T10:15:00.000Z', '2024-01-02'],
    // Samoa skipped the whole of 30 December 2011.
    ['Pacific/Apia', '2011-12-30T09:59:59.999Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00.000Z', '2011-12-31'],
    ['America/Sao_Paulo', '2018-11-04T02:59:59.999Z', '2018-11-03'],
    ['America/Sao_Paulo', '2018-11-04T03:00:00.000Z', '2018-11-04'],
    ['Africa/Monrovia', '1971-01-01T00:44:29.999Z', '1970-12-31'],
    ['Africa/Monrovia', '1971-01-01T00:44:30.000Z', '1971-01-01'],
    ['UTC', '2024-02-28T23:59:59.999Z', '2024-02-28'],
    ['Etc/GMT', '2024-02-29T00:00:00.000Z', '2024-02-29'],
  ])('in %s at %s is %s', (timeZone, at, day) => {
    expect(calendarDay(new Date(at), timeZone)).toBe(day);
    // Once more, from the cache.
    expect(calendarDay(new Date(at), timeZone)).toBe(day);
  });

  it.each(['America/New_York', 'Pacific/Kiritimati'])('leaves a day without a time as it is in %s', (timeZone) => {
    expect(calendarDay({ date: '2024-02-29' }, timeZone)).toBe('2024-02-29');
  });

  it('agrees with the runtime at any instant in zones of every kind', () => {
    const zones = ['Europe/London', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca'];
    const runtime = new Map(zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('en-CA', { timeZone })]));
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1972-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        fc.constantFrom(...zones),
        (at, timeZone) => {
          expect(calendarDay(at, timeZone)).toBe(runtime.get(timeZone)?.format(at));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('refuses a zone that the runtime does not know', () => {
    expect(() => calendarDay(new Date(0), 'Europe/Atlantis')).toThrow(RangeError);
  });
});
