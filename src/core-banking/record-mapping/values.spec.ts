import { describe, expect, it } from '@jest/globals';
import type { Column } from './mapping.js';
import type { Value } from './field-kinds.js';
import { valueReader } from './values.js';

const read = (kind: Value['kind'], source: Partial<Column>, row: object, more: Partial<Value> = {}): unknown =>
  valueReader(
    { kind, optional: false, ...more },
    { column: 'c', path: '', ...source },
    { timeZone: 'Europe/London' },
  )(row as Readonly<Record<string, unknown>>, 'GBP');
const sign = { column: 'dc', path: '', credit: ['C', 'R'], debit: ['D'] };

describe('money', () => {
  it.each([
    ['12.3400', undefined, 1234n],
    ['-0.5', undefined, -50n],
    ['12', undefined, 1200n],
    ['12.34', 'C', 1234n],
    ['12.34', 'R ', 1234n],
    ['12.34', 'D', -1234n],
    ['0', 'D', 0n],
  ])('%s with the flag %s is %s', (c, dc, minorUnits) => {
    const source: Partial<Column> = { as: 'decimal', ...(dc !== undefined && { sign }) };
    expect(read('money', source, { c, dc })).toEqual({ minorUnits, currency: 'GBP' });
  });

  it.each([
    ['12.3456', undefined, 'c: finer than the minor unit of its currency'],
    ['NaN', undefined, 'c: not a decimal'],
    ['1e3', undefined, 'c: not a decimal'],
    [null, undefined, 'c: missing'],
    ['-1', 'D', 'c: negative'],
    ['1', 'X', 'dc: not a known word'],
    ['1', null, 'dc: not a known word'],
  ])('%s with the flag %s is a bad record', (c, dc, fault) => {
    const source: Partial<Column> = { as: 'decimal', ...(dc !== undefined && { sign }) };
    expect(() => read('money', source, { c, dc })).toThrow(expect.objectContaining({ message: fault }));
  });

  it('has the digits of its own currency', () => {
    const source: Partial<Column> = { as: 'decimal', currency: { column: 'ccy', path: '' } };
    expect(read('money', source, { c: '1.234', ccy: 'BHD' })).toEqual({ minorUnits: 1234n, currency: 'BHD' });
    expect(read('money', source, { c: '1234.0000', ccy: 'JPY' })).toEqual({ minorUnits: 1234n, currency: 'JPY' });
    expect(() => read('money', source, { c: '1.5', ccy: 'JPY' })).toThrow('finer than');
    expect(() => read('money', source, { c: '1.5', ccy: 'XAU' })).toThrow('ccy: not a currency with a minor unit');
  });

  it('has its own currency by a code', () => {
    const currency = { column: 'ccy', path: '', codes: { '826': 'GBP', '048': 'BHD' } };
    const source: Partial<Column> = { as: 'decimal', currency };
    expect(read('money', source, { c: '1.234', ccy: '048' })).toEqual({ minorUnits: 1234n, currency: 'BHD' });
    expect(read('currency', currency, { ccy: '826' })).toBe('GBP');
    expect(read('integer', { codes: { M3: '3' } }, { c: 'M3' })).toBe(3);
    expect(() => read('currency', currency, { ccy: '999' })).toThrow('ccy: not a known word');
  });

  it('in minor units is whole', () => {
    expect(read('money', { as: 'minor-units' }, { c: '-1234' })).toEqual({ minorUnits: -1234n, currency: 'GBP' });
    expect(() => read('money', { as: 'minor-units' }, { c: '12.34' })).toThrow('c: not a whole number');
  });

  it('that cannot be negative is a bad record where it is', () => {
    expect(() => read('magnitude', { as: 'decimal' }, { c: '-1' })).toThrow('c: negative');
  });
});

describe('a time', () => {
  it.each<[Column['as'], string, unknown]>([
    ['instant', '2026-11-20T12:00:17.250Z', new Date('2026-11-20T12:00:17.250Z')],
    ['instant', '2026-11-20T12:00:17.250999Z', new Date('2026-11-20T12:00:17.250Z')],
    ['local-time', '2026-07-01T09:00:00.123456', new Date('2026-07-01T08:00:00.123Z')],
    ['local-time', '2026-10-25T01:30:00.000', new Date('2026-10-25T00:30:00Z')],
    ['day', '2026-02-28', { date: '2026-02-28' }],
    ['YYYYMMDD', '20240229', { date: '2024-02-29' }],
  ])('as %s is read from %s', (as, c, expected) => {
    expect(read('time', { as }, { c })).toEqual(expected);
  });

  it.each<[Column['as'], string]>([
    ['instant', 'infinity'],
    ['instant', '2026-11-20T12:00:17.250'],
    ['local-time', '2026-03-29T01:30:00.000'],
    ['local-time', '2026-07-01T09:00:00.000Z0'],
    ['day', 'infinity'],
    ['day', '2026-02-30'],
    ['YYYYMMDD', '20260230'],
    ['YYYYMMDD', '0'],
    ['YYYYMMDD', '2026-1-1'],
  ])('as %s is not a time in %s', (as, c) => {
    expect(() => read('time', { as }, { c })).toThrow(/^c: /);
  });
});

describe('a word', () => {
  const words = ['booked', 'pending'];

  it('is that of the code, and a code that the file does not list is a bad record', () => {
    expect(read('word', { codes: { 20: 'booked' } }, { c: '20' }, { words })).toBe('booked');
    expect(() => read('word', { codes: { 20: 'booked' } }, { c: '21' }, { words })).toThrow('c: not a known word');
    expect(() => read('word', { codes: { 20: 'booked' } }, { c: 'toString' }, { words })).toThrow('not a known word');
  });

  it('is the value of the column where there are no codes', () => {
    expect(read('word', {}, { c: 'booked' }, { words })).toBe('booked');
    expect(read('flag', {}, { c: 'true' })).toBe(true);
    expect(() => read('flag', {}, { c: 'yes' })).toThrow('not a known word');
  });
});

describe('a field that may be absent', () => {
  it.each([null, '', '  '])('is absent where the column has %j', (c) => {
    expect(read('text', {}, { c }, { optional: true })).toBeUndefined();
    expect(() => read('text', {}, { c })).toThrow('c: missing');
  });
});

it('a decimal loses zeros at its end, but no digit', () => {
  expect(['2.9900', '1.1725', '10', '100.000'].map((c) => read('decimal', {}, { c }))).toEqual([
    '2.99',
    '1.1725',
    '10',
    '100',
  ]);
});
