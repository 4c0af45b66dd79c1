import { describe, expect, it } from '@jest/globals';
import type { CoreStatement } from '../../../packages/core-adapter/core.records.js';
import { liesWithin, toStatement, type StatementView } from './statement.mapper.js';

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

describe('toStatement', () => {
  const basic = {
    AccountId: 'id',
    Type: 'RegularPeriodic',
    StartDateTime: '2026-04-01T00:00:00+00:00',
    EndDateTime: '2026-04-30T00:00:00+00:00',
    CreationDateTime: '2026-05-01T03:00:00+00:00',
    StatementDateTime: [{ DateTime: '2026-05-25T00:00:00+00:00', Type: 'UK.OBIE.PaymentDue' }],
  };
  const amounts = (of: CoreStatement, signed = false): unknown =>
    toStatement(of, { ...view, settings: { amounts: signed ? 'signed' : 'magnitude' } }).StatementAmount?.map((one) => [
      one.Type,
      one.CreditDebitIndicator,
      one.Amount.Amount,
    ]);

  it('shows the closing balance and the minimum payment with the Detail code, and no amount with the Basic code', () => {
    expect(toStatement(statement, { ...view, detail: false })).toEqual(basic);
    expect(amounts(statement)).toEqual([
      ['ClosingBalance', 'Debit', '541.20'],
      ['UK.OBIE.MinimumPaymentDue', 'Debit', '25.00'],
    ]);
  });

  it('signs only the closing balance where the profile asks for it', () => {
    expect(amounts(statement, true)).toEqual([
      ['ClosingBalance', 'Debit', '-541.20'],
      ['UK.OBIE.MinimumPaymentDue', 'Debit', '25.00'],
    ]);
  });

  it('marks a balance in credit and a minimum payment of zero as Credit, and leaves out an absent payment', () => {
    const { minimumPayment: _least, paymentDueAt: _due, ...paid } = { ...statement, closingBalance: gbp(5n) };
    expect(amounts(paid, true)).toEqual([['ClosingBalance', 'Credit', '0.05']]);
    expect(toStatement(paid, view).StatementDateTime).toBeUndefined();
    expect(amounts({ ...paid, minimumPayment: gbp(0n) })).toEqual([
      ['ClosingBalance', 'Credit', '0.05'],
      ['UK.OBIE.MinimumPaymentDue', 'Credit', '0.00'],
    ]);
  });

  it('names one of the standard’s types', () => {
    const types = (['regular', 'annual', 'interim', 'opening', 'closing'] as const).map(
      (type) => toStatement({ ...statement, type }, view).Type,
    );
    expect(types).toEqual(['RegularPeriodic', 'Annual', 'Interim', 'AccountOpening', 'AccountClosure']);
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
