import { describe, expect, it } from '@jest/globals';
import { readDateRange, limitedToHistory } from './date-range.js';
import { latestInstantMs } from './date-times.js';
import { OpenBankingError } from './errors.js';

const read = (from?: unknown, to?: unknown): unknown => {
  try {
    return readDateRange({ from, to }, 'from', 'to');
  } catch (error) {
    if (!(error instanceof OpenBankingError)) throw error;
    return [error.kind, error.details[0]?.path];
  }
};
const ms = (text: string): number => Date.parse(text);

describe('readDateRange', () => {
  it('has an edge for each parameter that is present, and the upper edge is the end of its unit', () => {
    expect(read()).toEqual({});
    expect(read('2026-05-02')).toEqual({ fromMs: ms('2026-05-02T00:00:00Z') });
    expect(read(undefined, '2026-05-02')).toEqual({ endMs: ms('2026-05-03T00:00:00Z') });
    expect(read('2026-05-02T09:30', '2026-05-02T09:30')).toEqual({
      fromMs: ms('2026-05-02T09:30:00Z'),
      endMs: ms('2026-05-02T09:31:00Z'),
    });
  });

  it('refuses a parameter that is not a date, is empty or comes twice, by its name', () => {
    for (const value of ['', 'x', ['2026-05-02', '2026-05-02'], [], {}]) {
      expect(read(value)).toEqual(['field-date', 'from']);
      expect(read(undefined, value)).toEqual(['field-date', 'to']);
    }
    expect(read('x', 'x')).toEqual(['field-date', 'from']);
  });

  it('refuses a lower edge after the upper edge, but not inside the unit of the upper edge', () => {
    expect(read('2026-05-03', '2026-05-02')).toEqual(['field-date', 'from']);
    expect(read('2026-05-02T00:00:00.001', '2026-05-02T00:00:00.000')).toEqual(['field-date', 'from']);
    expect(read('2026-05-02T23:59:59.999', '2026-05-02')).toEqual({
      fromMs: ms('2026-05-02T23:59:59.999Z'),
      endMs: ms('2026-05-03T00:00:00Z'),
    });
  });

  it('treats 24:00 as an empty unit', () => {
    const midnight = ms('2026-05-03T00:00:00Z');
    expect(read('2026-05-02T24:00', '2026-05-02T24:00')).toEqual({ fromMs: midnight, endMs: midnight });
    expect(read('2026-05-03', '2026-05-02T24:00')).toEqual({ fromMs: midnight, endMs: midnight });
  });
});

describe('withinHistory', () => {
  it('is the narrower range on either side', () => {
    expect(limitedToHistory({}, {})).toEqual({});
    expect(limitedToHistory({ fromMs: 10, endMs: 20 }, {})).toEqual({ fromMs: 10, endMs: 20 });
    expect(limitedToHistory({}, { fromMs: 10, toMs: 20 })).toEqual({ fromMs: 10, endMs: 21 });
    expect(limitedToHistory({ fromMs: 5, endMs: 15 }, { fromMs: 10, toMs: 20 })).toEqual({ fromMs: 10, endMs: 15 });
    expect(limitedToHistory({ fromMs: 15, endMs: 25 }, { fromMs: 10, toMs: 20 })).toEqual({ fromMs: 15, endMs: 21 });
  });

  it('may be empty, with its lower edge after its upper edge', () => {
    expect(limitedToHistory({ fromMs: 30 }, { toMs: 20 })).toEqual({ fromMs: 30, endMs: 21 });
  });

  it('has no upper edge where that would exceed the greatest date', () => {
    expect(limitedToHistory({ endMs: latestInstantMs + 1 }, {})).toEqual({});
    expect(limitedToHistory({ endMs: latestInstantMs }, {})).toEqual({ endMs: latestInstantMs });
  });
});
