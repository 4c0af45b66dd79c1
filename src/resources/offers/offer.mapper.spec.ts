import { describe, expect, it } from '@jest/globals';
import { offerFields } from './offer.mapper.js';

describe('offerFields', () => {
  it('fills the seven members of an offer and the account’s id', () => {
    expect(
      offerFields(
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
      accountId: 'id',
      endMonth: '2027-03',
      feePercentage: '2.99',
      maxTransferPercentage: '95',
      minTransferAmount: { Amount: '100.00', Currency: 'GBP' },
      minFeeAmount: { Amount: '0.00', Currency: 'GBP' },
      annualRatePercentage: '-0.5000',
      takeUpEndDate: '2026-12-31',
    });
  });

  it('omits members for which the core has no value', () => {
    expect(offerFields({}, { accountId: 'id' })).toEqual({ accountId: 'id' });
  });

  it('refuses a record whose rate, month or day has a wrong form', () => {
    for (const text of ['', 'x', '4929421234567897', '2.99%', '2,99', '1.23456', '1234']) {
      for (const rate of ['feePercentage', 'maxTransferPercentage', 'annualRatePercentage'])
        expect(() => offerFields({ [rate]: text }, { accountId: 'id' })).toThrow(RangeError);
      expect(() => offerFields({ endMonth: text }, { accountId: 'id' })).toThrow(RangeError);
      expect(() => offerFields({ takeUpEndDate: { date: text } }, { accountId: 'id' })).toThrow(RangeError);
    }
    expect(() => offerFields({ endMonth: '2027-13' }, { accountId: 'id' })).toThrow(RangeError);
    expect(() => offerFields({ takeUpEndDate: { date: '2027-02-29' } }, { accountId: 'id' })).toThrow(RangeError);
  });
});
