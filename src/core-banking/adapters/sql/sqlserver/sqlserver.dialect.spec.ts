import { describe, expect, it } from '@jest/globals';
import { bound } from './sqlserver.cells.js';

describe('the bound of a column of times', () => {
  // The server would round to the nearest.
  it.each([
    ['datetime', '17.000', '17.000'],
    ['datetime', '17.001', '17.003'],
    ['datetime', '17.003', '17.003'],
    ['datetime', '17.004', '17.007'],
    ['datetime', '17.007', '17.007'],
    ['datetime', '17.008', '17.010'],
    ['datetime', '59.999', '60.000'],
    ['datetime2(7)', '17.001', '17.001'],
    ['datetimeoffset(7)', '17.001', '17.001'],
  ])('of the type %s, second %s, is the least value that is not before it: %s', (type, second, least) => {
    const next = least === '60.000' ? '2026-11-20T12:01:00.000' : `2026-11-20T12:00:${least}`;
    expect(bound(':x', `2026-11-20T12:00:${second}`, type)).toEqual({ sql: ':x', value: next });
  });

  it.each([
    ['datetime', '1000-01-02T00:00:00.000', '1753-01-01T00:00:00.000'],
    ['smalldatetime', '1000-01-02T00:00:00.000', '1900-01-01T00:00:00.000'],
    ['smalldatetime', '2026-11-20T12:00:00.001', '2026-11-20T12:01:00.000'],
    ['smalldatetime', '9999-12-30T00:00:00.000', '2079-06-06T23:59:00.000'],
    ['date', '1000-01-02', '1000-01-02'],
  ])('of the type %s is one that the type has: %s', (type, time, value) => {
    expect(bound(':x', time, type).value).toBe(value);
  });
});
