import { describe, expect, it } from '@jest/globals';
import { OpenBankingError } from '../../open-banking/errors.js';
import { PageCursors, type PageCursor } from '../../open-banking/page-cursor.js';
import { readTransactionFilter, type TransactionFilter } from './transaction.filter.js';

const cursors = new PageCursors('a secret');
const scope = { consentId: 'consent', accountId: 'account', nowMs: 100, cursors };
const read = (query: Record<string, unknown>): TransactionFilter => readTransactionFilter(query, scope, cursors);
const refusal = (query: Record<string, unknown>): unknown => {
  try {
    return read(query);
  } catch (error) {
    if (!(error instanceof OpenBankingError)) throw error;
    return [error.kind, error.details[0]?.path];
  }
};

describe('readTransactionFilter', () => {
  it('of no parameters asks for everything, now', () => {
    expect(read({ other: 'x' })).toEqual({
      ...{ range: {}, nowMs: 100, given: [], boundTo: ['consent', 'account'], firstAskedAtMs: 100 },
    });
  });

  it('keeps the dates as they were given, for the links, and tells the window where they begin', () => {
    const fromBookingDateTime = '2026-05-02T09:30 01:00';
    expect(read({ toBookingDateTime: '20260503', fromBookingDateTime })).toEqual({
      range: { fromMs: Date.parse('2026-05-02T09:30:00Z'), endMs: Date.parse('2026-05-04T00:00:00Z') },
      fromMs: Date.parse('2026-05-02T09:30:00Z'),
      given: [
        ['fromBookingDateTime', fromBookingDateTime],
        ['toBookingDateTime', '20260503'],
      ],
      boundTo: ['consent', 'account', 'fromBookingDateTime', fromBookingDateTime, 'toBookingDateTime', '20260503'],
      ...{ nowMs: 100, firstAskedAtMs: 100 },
    });
    expect(read({ toBookingDateTime: '2026' })).not.toHaveProperty('fromMs');
  });

  it('takes the time of the first page from its cursor', () => {
    const cursor: PageCursor = { read: 'older', limit: 3, firstAskedAtMs: 42 };
    const filter = read({ page: cursors.seal(cursor, ['consent', 'account']) });
    expect([filter.page, filter.firstAskedAtMs, filter.nowMs]).toEqual([cursor, 42, 100]);
  });

  it('refuses what is no date or no page of this answer by its name', () => {
    const ofAnother = cursors.seal({ read: 'older', limit: 3, firstAskedAtMs: 42 }, ['consent', 'another']);
    for (const page of ['', '2', ofAnother, [ofAnother, ofAnother]])
      expect(refusal({ page })).toEqual(['field-invalid', 'page']);
    expect(refusal({ fromBookingDateTime: '' })).toEqual(['field-date', 'fromBookingDateTime']);
    expect(refusal({ toBookingDateTime: ['2026', '2026'] })).toEqual(['field-date', 'toBookingDateTime']);
  });
});
