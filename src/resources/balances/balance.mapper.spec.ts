import { describe, expect, it } from '@jest/globals';
import type { CoreBalance } from '../../../packages/core-adapter/core.records.js';
import { profile } from '../../profiles/profile-2.js';
import { toBalance, type BalanceView } from './balance.mapper.js';

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
  const { Type, CreditDebitIndicator, Amount, CreditLine } = toBalance(balance, view(product, signed));
  const lines = CreditLine?.map((line) => [line.Included, line.Type, line.Amount.Amount]);
  return [Type, CreditDebitIndicator, Amount.Amount, ...(lines === undefined ? [] : [lines])];
};

const {
  CurrentAccount = {},
  Savings = {},
  CreditCard = {},
  RewardsPayPlus = {},
  RoundUp = {},
} = profile.products as Record<string, BalanceView['product']>;

describe('toBalance', () => {
  it('shows the account’s id and the time in UTC, and a day as its 00:00', () => {
    expect(toBalance({ kind: 'booked', amount: gbp(1234n), at: { date: '2026-05-02' } }, view(Savings, false))).toEqual(
      {
        AccountId: 'id',
        CreditDebitIndicator: 'Credit',
        Type: 'InterimBooked',
        DateTime: '2026-05-02T00:00:00+00:00',
        Amount: { Amount: '12.34', Currency: 'GBP' },
      },
    );
  });

  it('names a card’s booked balance ClosingBooked, any other booked balance InterimBooked, and the available balance InterimAvailable', () => {
    for (const product of [CurrentAccount, Savings, RewardsPayPlus, RoundUp]) {
      expect(shown({ kind: 'booked', amount: gbp(-5n), at }, product)).toEqual(['InterimBooked', 'Debit', '0.05']);
      expect(shown(available(0n), product)).toEqual(['InterimAvailable', 'Credit', '0.00']);
    }
    expect(shown({ kind: 'booked', amount: gbp(-5n), at }, CreditCard)).toEqual(['ClosingBooked', 'Debit', '0.05']);
  });

  it.each([
    [100_00n, '500.00', 'not in use'],
    [0n, '500.00', 'on the edge'],
    [-1n, '499.99', 'in use by a penny'],
    [-500_00n, '0.00', 'used up'],
    [-500_01n, '0.00', 'beyond its limit'],
  ])('with %s to spend has %s left of an overdraft of 500.00 that is %s', (toSpend, left) => {
    expect(shown(available(toSpend, 500_00n), CurrentAccount)[3]).toEqual([
      [false, 'Pre-Agreed', '500.00'],
      [false, 'Available', left],
    ]);
  });

  it('shows an overdraft on a current account’s available balance only', () => {
    expect(shown({ ...available(1n, 5n), kind: 'booked' }, CurrentAccount)).toHaveLength(3);
    for (const product of [Savings, RewardsPayPlus, RoundUp]) expect(shown(available(1n, 5n), product)).toHaveLength(3);
    expect(shown(available(1n), CurrentAccount)).toHaveLength(3);
  });

  it('shows the credit left on a card, and zero beyond the limit', () => {
    expect(shown(available(12_00n), CreditCard)[3]).toEqual([[true, 'Available', '12.00']]);
    expect(shown(available(-12_00n), CreditCard)).toEqual([
      'InterimAvailable',
      'Debit',
      '12.00',
      [[true, 'Available', '0.00']],
    ]);
  });

  it('shows the limit of an overdraft or a credit line under the type that the profile states for the product', () => {
    const overdraft = { credit: { kind: 'overdraft', limitType: 'Temporary' } } as const;
    expect(shown(available(-20_00n, 50_00n), overdraft)[3]).toEqual([
      [false, 'Temporary', '50.00'],
      [false, 'Available', '30.00'],
    ]);
    const creditLine = { credit: { kind: 'credit-line', limitType: 'Credit' } } as const;
    expect(shown(available(70_00n, 100_00n), creditLine)[3]).toEqual([
      [true, 'Credit', '100.00'],
      [true, 'Available', '70.00'],
    ]);
    expect(shown(available(70_00n), creditLine)[3]).toEqual([[true, 'Available', '70.00']]);
    expect(shown(available(-20_00n, 50_00n), { credit: { kind: 'overdraft' } })[3]).toEqual([
      [false, 'Available', '30.00'],
    ]);
  });

  it('signs the amount where the profile asks for it, and never signs credit lines', () => {
    expect(shown(available(-12_00n), CreditCard, true)).toEqual([
      'InterimAvailable',
      'Debit',
      '-12.00',
      [[true, 'Available', '0.00']],
    ]);
    expect(shown(available(12_00n), Savings, true)).toEqual(['InterimAvailable', 'Credit', '12.00']);
  });
});
