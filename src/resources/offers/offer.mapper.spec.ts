import { describe, expect, it } from '@jest/globals';
import { toOffer } from './offer.mapper.js';

describe('toOffer', () => {
  it('fills the seven members of an offer and the account’s id', () => {
    expect(
      toOffer(
        {
          endMonth: '2027-03',
          feePercentage: '2.99',
          maxTransferPercentage: '95',
          minTransferAmount: { minorUnits: 100_00n, currency: 'GBP' },
          minFeeAmount: { minorUnits: 0n, currency: 'GBP' },
          annualRatePercentage: '-0.5000',
          takeUpEndDate: { date: '2026-12-31' },
        },
        { accountId: 'id' },
      ),
    ).toEqual({
      AccountId: 'id',
      endMonthYear: '2027-03',
      feePercentage: '2.99',
      maxTransferPercentage: '95',
      minTransferAmount: { Amount: '100.00', Currency: 'GBP' },
      minFeeAmount: { Amount: '0.00', Currency: 'GBP' },
      rateAnnualPercentage: '-0.5000',
      takeUpEndDate: '2026-12-31',
    });
  });

  it('leaves out members for which the core has no value', () => {
    expect(toOffer({}, { accountId: 'id' })).toEqual({ AccountId: 'id' });
  });

  it('refuses a record whose rate, month or day has a wrong form', () => {
    for (const text of ['', 'x', '4929421234567897', '2.99%', '2,99', '1.23456', '1234']) {
      for (const rate of ['feePercentage', 'maxTransferPercentage', 'annualRatePercentage'])
        expect(() => toOffer({ [rate]: text }, { accountId: 'id' })).toThrow(RangeError);
      expect(() => toOffer({ endMonth: text }, { accountId: 'id' })).toThrow(RangeError);
      expect(() => toOffer({ takeUpEndDate: { date: text } }, { accountId: 'id' })).toThrow(RangeError);
    }
    expect(() => toOffer({ endMonth: '2027-13' }, { accountId: 'id' })).toThrow(RangeError);
    expect(() => toOffer({ takeUpEndDate: { date: '2027-02-29' } }, { accountId: 'id' })).toThrow(RangeError);
  });
});
