import { describe, expect, it } from '@jest/globals';
import { RowFault } from '../../../packages/core-adapter/core-rows.js';
import type { As } from './mapping.js';
import { timeOf } from './times.js';

describe('a time as a core writes it', () => {
  it.each<[As, string, string | { date: string }]>([
    ['instant', '2026-11-20T12:00:17.250Z', '2026-11-20T12:00:17.250Z'],
    ['instant', '2026-11-20T12:00:17Z', '2026-11-20T12:00:17.000Z'],
    ['instant', '2026-11-20T12:00:17.250999+01:00', '2026-11-20T11:00:17.250Z'],
    ['instant', '2026-11-20T00:15:00-05:45', '2026-11-20T06:00:00.000Z'],
    ['local-time', '2026-07-01T09:30:00', '2026-07-01T08:30:00.000Z'],
    ['local-time', '2026-07-01 09:30:00.123456', '2026-07-01T08:30:00.123Z'],
    ['day', '2024-02-29', { date: '2024-02-29' }],
    ['YYYYMMDD', '20240229', { date: '2024-02-29' }],
    ['DD/MM/YYYY', '29/02/2024', { date: '2024-02-29' }],
    ['iso', '2024-02-29', { date: '2024-02-29' }],
    ['iso', '2026-07-01T09:30:00', '2026-07-01T08:30:00.000Z'],
    ['iso', '2026-07-01T09:30:00+02:00', '2026-07-01T07:30:00.000Z'],
  ])('is read from %s %s', (as, text, expected) => {
    const time = timeOf(text, as, 'Europe/London', 'AT');
    expect(time instanceof Date ? time.toISOString() : time).toEqual(expected);
  });

  it.each<[As, unknown]>([
    ['instant', '2026-02-30T12:00:00Z'],
    ['instant', '2026-11-20T24:00:00Z'],
    ['instant', '2026-11-20T12:00:00'],
    ['instant', '2026-11-20T12:00:00+15:00'],
    ['instant', '2026-11-20T12:00:00+01:60'],
    ['instant', 1_700_000_000],
    ['local-time', '2026-03-29T01:30:00'],
    ['local-time', '2026-07-01'],
    ['day', '2026-02-29'],
    ['YYYYMMDD', '20260229'],
    ['YYYYMMDD', '2026-02-28'],
    ['DD/MM/YYYY', '02/29/2024'],
    ['DD/MM/YYYY', '1/2/2024'],
    ['iso', ''],
    ['iso', 'yesterday'],
  ])('is refused from %s %p', (as, text) => {
    expect(() => timeOf(text, as, 'Europe/London', 'AT')).toThrow(RowFault);
  });

  it('is refused where it is local and the file names no zone', () => {
    const fault = new RowFault('AT', 'a local time, and the time zone is not known');
    expect(() => timeOf('2026-07-01T09:30:00', 'iso', undefined, 'AT')).toThrow(fault);
  });
});
