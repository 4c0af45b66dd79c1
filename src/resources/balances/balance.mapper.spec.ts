import { describe, expect, it } from '@jest/globals';
import type { CoreBalance } from '../../../packages/core-adapter/core.records.js';
import { profile } from '../../profiles/profile-2.js';
import { balanceFields, type BalanceView } from './balance.mapper.js';

const at = new Date('2026-05-02T09:30:00Z');
const gbp = (minorUnits: bigint): CoreBalance['amount'] => ({ minorUnits, currency: 'GBP' });
const available = (minorUnits: bigint, overdraft?: bigint): CoreBalance => ({
  kind: 'available',
  amount: gbp(minorUnits),
  at,
  ...(overdraft !== undefined && { creditLimit: gbp(overdraft) }),
});
const view = (product: BalanceView['product'], signed: boolean): BalanceView => ({
  accountId: 'id',
  product,
  settings: { amounts: signed ? 'signed' : 'magnitude' },
});
const shown = (balance: CoreBalance, product: BalanceView['product'], signed = false): unknown[] => {
  const { kind, creditDebit, amount, creditLines } = balanceFields(balance, view(product, signed));
  const lines = creditLines?.map((line) => [line.included, line.kind, line.amount.Amount]);
  return [kind, creditDebit, amount.Amount, ...(lines === undefined ? [] : [lines])];
};

const {
  CurrentAccount = {},
  Savings = {},
  CreditCard = {},
  RewardsPayPlus = {},
  RoundUp = {},
} = profile.products as Record<string, BalanceView['product']>;

describe('balanceFields', () => {
  it('shows the account’s id and the time in UTC, and a day as its 00:00', () => {
    expect(
      balanceFields({ kind: 'booked', amount: gbp(1234n), at: { date: '2026-05-02' } }, view(Savings, false)),
    ).toEqual({
      accountId: 'id',
      creditDebit: 'Credit',
      kind: 'interim-booked',
      at: '2026-05-02T00:00:00+00:00',
      amount: { Amount: '12.34', Currency: 'GBP' },
    });
  });

  it('says of a card’s booked balance that it is the closing one, of any other that it is an interim one', () => {
    for (const product of [CurrentAccount, Savings, RewardsPayPlus, RoundUp]) {
      expect(shown({ kind: 'booked', amount: gbp(-5n), at }, product)).toEqual(['interim-booked', 'Debit', '0.05']);
      expect(shown(available(0n), product)).toEqual(['available', 'Credit', '0.00']);
    }
    expect(shown({ kind: 'booked', amount: gbp(-5n), at }, CreditCard)).toEqual(['closing-booked', 'Debit', '0.05']);
  });

  it.each([
    [100_00n, '500.00', 'not in use'],
    [0n, '500.00', 'on the edge'],
    [-1n, '499.99', 'in use by a penny'],
    [-500_00n, '0.00', 'used up'],
    [-500_01n, '0.00', 'beyond its limit'],
  ])('with %s to spend has %s left of an overdraft of 500.00 that is %s', (toSpend, left) => {
    expect(shown(available(toSpend, 500_00n), CurrentAccount)[3]).toEqual([
      [false, 'pre-agreed', '500.00'],
      [false, 'rest', left],
    ]);
  });

  it('shows an overdraft on a current account’s available balance only', () => {
    expect(shown({ ...available(1n, 5n), kind: 'booked' }, CurrentAccount)).toHaveLength(3);
    for (const product of [Savings, RewardsPayPlus, RoundUp]) expect(shown(available(1n, 5n), product)).toHaveLength(3);
    expect(shown(available(1n), CurrentAccount)).toHaveLength(3);
  });

  it('shows the credit left on a card, and zero beyond the limit', () => {
    expect(shown(available(12_00n), CreditCard)[3]).toEqual([[true, 'rest', '12.00']]);
    expect(shown(available(-12_00n), CreditCard)).toEqual(['available', 'Debit', '12.00', [[true, 'rest', '0.00']]]);
  });

  it('shows the limit of an overdraft or a credit line under the kind that the profile states for the product', () => {
    const overdraft = { credit: { kind: 'overdraft', limit: 'temporary' } } as const;
    expect(shown(available(-20_00n, 50_00n), overdraft)[3]).toEqual([
      [false, 'temporary', '50.00'],
      [false, 'rest', '30.00'],
    ]);
    const creditLine = { credit: { kind: 'credit-line', limit: 'credit' } } as const;
    expect(shown(available(70_00n, 100_00n), creditLine)[3]).toEqual([
      [true, 'credit', '100.00'],
      [true, 'rest', '70.00'],
    ]);
    expect(shown(available(70_00n), creditLine)[3]).toEqual([[true, 'rest', '70.00']]);
    expect(shown(available(-20_00n, 50_00n), { credit: { kind: 'overdraft' } })[3]).toEqual([[false, 'rest', '30.00']]);
  });

  it('signs the amount where the profile asks for it, and never signs credit lines', () => {
    expect(shown(available(-12_00n), CreditCard, true)).toEqual([
      'available',
      'Debit',
      '-12.00',
      [[true, 'rest', '0.00']],
    ]);
    expect(shown(available(12_00n), Savings, true)).toEqual(['available', 'Credit', '12.00']);
  });
});
