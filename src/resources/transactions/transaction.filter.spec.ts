import { describe, expect, it } from '@jest/globals';
import { OpenBankingError } from '../../open-banking/errors.js';
import { PageCursors, type PageCursor } from '../../open-banking/page-cursor.js';
import { readTransactionFilter, type TransactionFilter } from './transaction.filter.js';

const cursors = new PageCursors('a secret');
const scope = { consentId: 'consent', accountId: 'account', nowMs: 100, cursors };
const position = { atMs: 5, id: 'x' };
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
  it('without parameters asks for all transactions, now', () => {
    expect(read({ other: 'x' })).toEqual({
      range: {},
      nowMs: 100,
      given: [],
      boundTo: ['consent', 'account'],
      firstAskedAtMs: 100,
    });
  });

  it('keeps the dates as the TPP wrote them, for the links, and gives the window check their beginning', () => {
    const fromBookingDateTime = '2026-05-02T09:30 01:00';
    expect(read({ toBookingDateTime: '20260503', fromBookingDateTime })).toEqual({
      range: { fromMs: Date.parse('2026-05-02T09:30:00Z'), endMs: Date.parse('2026-05-04T00:00:00Z') },
      fromMs: Date.parse('2026-05-02T09:30:00Z'),
      given: [
        ['fromBookingDateTime', fromBookingDateTime],
        ['toBookingDateTime', '20260503'],
      ],
      boundTo: ['consent', 'account', 'fromBookingDateTime', fromBookingDateTime, 'toBookingDateTime', '20260503'],
      nowMs: 100,
      firstAskedAtMs: 100,
    });
    expect(read({ toBookingDateTime: '2026' })).not.toHaveProperty('fromMs');
  });

  it('reads the time of the first page from the cursor', () => {
    const cursor: PageCursor = { read: 'older', position, limit: 3, firstAskedAtMs: 42 };
    const filter = read({ page: cursors.seal(cursor, ['consent', 'account']) });
    expect([filter.page, filter.firstAskedAtMs, filter.nowMs]).toEqual([cursor, 42, 100]);
  });

  it('refuses a cursor a day after the first request, and says to send the request again', () => {
    const dayMs = 86_400_000;
    const page = cursors.seal({ read: 'newer', position, limit: 3, firstAskedAtMs: 100 }, ['consent', 'account']);
    const at = (nowMs: number): TransactionFilter => readTransactionFilter({ page }, { ...scope, nowMs }, cursors);
    expect(at(100 + dayMs).firstAskedAtMs).toBe(100);
    expect(() => at(101 + dayMs)).toThrow(
      expect.objectContaining({
        kind: 'field-invalid',
        details: [
          expect.objectContaining({
            path: 'page',
            message: expect.stringContaining('send the same request again, without page'),
          }),
        ],
      }),
    );
  });

  it('refuses a wrong date and a cursor of another answer, by the name of the parameter', () => {
    const ofAnother = cursors.seal({ read: 'older', position, limit: 3, firstAskedAtMs: 42 }, ['consent', 'another']);
    for (const page of ['', '2', ofAnother, [ofAnother, ofAnother]])
      expect(refusal({ page })).toEqual(['field-invalid', 'page']);
    expect(refusal({ fromBookingDateTime: '' })).toEqual(['field-date', 'fromBookingDateTime']);
    expect(refusal({ toBookingDateTime: ['2026', '2026'] })).toEqual(['field-date', 'toBookingDateTime']);
  });
});
