import { describe, expect, it } from '@jest/globals';
import { type Row, translateRow } from '../../../../packages/core-adapter/core-rows.js';
import { card, gbp, leavesOutWhatItCannotRead, onCurrent, secret } from '../../../../test/cores/ledger/ledger.rows.js';
import { toOffer } from './offers.records.js';

const promo: Row = { until: '202706', feeBp: 299, capBp: 9500, least: 10000, leastFee: 300, annBp: 0, by: '20261231' };

describe('the ledger’s promotion', () => {
  it('becomes an offer, without empty values', () => {
    expect(toOffer(promo, card)).toEqual({
      endMonth: '2027-06',
      feePercentage: '2.99',
      maxTransferPercentage: '95.00',
      minTransferAmount: gbp(10000n),
      minFeeAmount: gbp(300n),
      annualRatePercentage: '0.00',
      takeUpEndDate: { date: '2026-12-31' },
    });
    expect(toOffer({ until: '', feeBp: '', capBp: '', least: '', leastFee: '', annBp: 5, by: '' }, card)).toEqual({
      annualRatePercentage: '0.05',
    });
  });

  it('of which no field can be read is a bad record, and no empty offer', () => {
    const unreadable = Object.fromEntries(Object.keys(promo).map((field) => [field, {}]));
    expect(translateRow('promos[0]', unreadable, onCurrent(toOffer))).toEqual({
      where: 'promos[0]',
      fault: 'until: not a month',
    });
  });

  leavesOutWhatItCannotRead([
    ['endMonth', onCurrent(toOffer), promo, { until: '202713' }],
    ['minFeeAmount', onCurrent(toOffer), promo, { leastFee: secret }],
    ['annualRatePercentage', onCurrent(toOffer), promo, { annBp: secret }],
    ['takeUpEndDate', onCurrent(toOffer), promo, { by: '20261231T000000.000Z' }],
  ]);
});
