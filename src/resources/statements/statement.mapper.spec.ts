import { describe, expect, it } from '@jest/globals';
import type { CoreStatement } from '../../../packages/core-adapter/core.records.js';
import { liesWithin, statementFields, type StatementView } from './statement.mapper.js';

const gbp = (minorUnits: bigint): CoreStatement['closingBalance'] => ({ minorUnits, currency: 'GBP' });
const statement: CoreStatement = {
  type: 'regular',
  startAt: { date: '2026-04-01' },
  endAt: { date: '2026-04-30' },
  createdAt: new Date('2026-05-01T03:00:00Z'),
  closingBalance: gbp(-541_20n),
  minimumPayment: gbp(25_00n),
  paymentDueAt: { date: '2026-05-25' },
};
const view: StatementView = { accountId: 'id', detail: true, settings: { amounts: 'magnitude' } };

describe('statementFields', () => {
  const basic = {
    accountId: 'id',
    type: 'regular',
    startAt: '2026-04-01T00:00:00+00:00',
    endAt: '2026-04-30T00:00:00+00:00',
    createdAt: '2026-05-01T03:00:00+00:00',
    paymentDueAt: '2026-05-25T00:00:00+00:00',
  };
  const amounts = (of: CoreStatement, signed = false): unknown =>
    statementFields(of, { ...view, settings: { amounts: signed ? 'signed' : 'magnitude' } }).amounts?.map((one) => [
      one.kind,
      one.creditDebit,
      one.amount.Amount,
    ]);

  it('shows the closing balance and the minimum payment with the Detail code, and no amount with the Basic code', () => {
    expect(statementFields(statement, { ...view, detail: false })).toEqual(basic);
    expect(amounts(statement)).toEqual([
      ['closing-balance', 'Debit', '541.20'],
      ['minimum-payment-due', 'Debit', '25.00'],
    ]);
  });

  it('signs only the closing balance where the profile asks for it', () => {
    expect(amounts(statement, true)).toEqual([
      ['closing-balance', 'Debit', '-541.20'],
      ['minimum-payment-due', 'Debit', '25.00'],
    ]);
  });

  it('marks a balance in credit and a minimum payment of zero as Credit, and omits an absent payment', () => {
    const { minimumPayment: _least, paymentDueAt: _due, ...paid } = { ...statement, closingBalance: gbp(5n) };
    expect(amounts(paid, true)).toEqual([['closing-balance', 'Credit', '0.05']]);
    expect(statementFields(paid, view).paymentDueAt).toBeUndefined();
    expect(amounts({ ...paid, minimumPayment: gbp(0n) })).toEqual([
      ['closing-balance', 'Credit', '0.05'],
      ['minimum-payment-due', 'Credit', '0.00'],
    ]);
  });
});

describe('liesWithin', () => {
  const start = Date.parse('2026-04-01T00:00:00Z');
  const end = Date.parse('2026-04-30T00:00:00Z');

  it.each([
    [{}, true],
    [{ fromMs: start, endMs: end + 1 }, true],
    [{ fromMs: start + 1 }, false],
    [{ endMs: end }, false],
    [{ fromMs: end }, false],
    [{ fromMs: start - 1, endMs: end - 1 }, false],
  ])('compares a statement with the range %j: %s', (range, inside) => {
    expect(liesWithin(statement, range)).toBe(inside);
  });
});
