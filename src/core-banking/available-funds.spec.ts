import { describe, expect, it } from '@jest/globals';
import type { CoreBalance, CoreMoney } from '../../packages/core-adapter/core.records.js';
import { fundsAvailable } from './available-funds.js';

const at = new Date('2026-11-20T14:30:00Z');
const gbp = (minorUnits: bigint): CoreMoney => ({ minorUnits, currency: 'GBP' });
const available = (amount: CoreMoney, creditLimit?: CoreMoney): CoreBalance => ({
  kind: 'available',
  amount,
  at,
  ...(creditLimit && { creditLimit }),
});
const overdraft = { countOverdraft: true, limitIsOverdraft: true };
const confirms = (
  balances: readonly CoreBalance[],
  amount: CoreMoney,
  { countOverdraft = false, limitIsOverdraft = false } = {},
): boolean => fundsAvailable(balances, { amount, countOverdraft }, limitIsOverdraft);

describe('the funds of an account', () => {
  it('are available to the last penny, and not beyond it', () => {
    const balances = [available(gbp(25_00n))];
    expect([24_99n, 25_00n, 25_01n].map((amount) => confirms(balances, gbp(amount)))).toEqual([true, true, false]);
  });

  it('are exact where a number would not be', () => {
    const much = 9_007_199_254_740_993n;
    expect(confirms([available(gbp(much))], gbp(much))).toBe(true);
    expect(confirms([available(gbp(much - 1n))], gbp(much))).toBe(false);
  });

  it('are not available below zero, not even for nothing', () => {
    expect([0n, 1n, 500_00n].map((amount) => confirms([available(gbp(-500_00n))], gbp(amount)))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('include the overdraft only where it counts', () => {
    const balances = [available(gbp(-150_00n), gbp(500_00n))];
    expect([350_00n, 350_01n].map((amount) => confirms(balances, gbp(amount), overdraft))).toEqual([true, false]);
    expect(confirms(balances, gbp(1n), { limitIsOverdraft: true })).toBe(false);
    expect(confirms([available(gbp(10_00n), gbp(5_00n))], gbp(15_00n), overdraft)).toBe(true);
  });

  it('count a credit line once: its rest is the available balance', () => {
    const balances = [available(gbp(100_00n), gbp(500_00n))];
    expect([100_00n, 100_01n].map((amount) => confirms(balances, gbp(amount), { countOverdraft: true }))).toEqual([
      true,
      false,
    ]);
  });

  it('are the least of several available balances', () => {
    expect(confirms([available(gbp(9_00n)), available(gbp(5_00n))], gbp(6_00n))).toBe(false);
  });

  it('are unknown where only the booked balance is known, or another currency', () => {
    const fault = /^bad-record: balances: the core sent no available balance/;
    expect(() => confirms([{ kind: 'booked', amount: gbp(9_00n), at }], gbp(1n))).toThrow(fault);
    expect(() => confirms([available({ minorUnits: 9_00n, currency: 'JPY' })], gbp(1n))).toThrow(fault);
    const limitInYen = available(gbp(1_00n), { minorUnits: 9_00n, currency: 'JPY' });
    expect(confirms([limitInYen], gbp(2_00n), overdraft)).toBe(false);
  });
});
