import { describe, expect, it } from '@jest/globals';
import type { CoreStandingOrder } from '../../../packages/core-adapter/core.records.js';
import { toStandingOrder } from './standing-order.mapper.js';

const order: CoreStandingOrder = {
  id: 'O1',
  active: true,
  frequency: { every: 'month', interval: 1, day: 15 },
  reference: '4929421234567897',
  firstPaymentAt: { date: '2025-05-15' },
  nextPaymentAt: { date: '2026-05-15' },
  finalPaymentAt: new Date('2027-05-15T09:00:00Z'),
  nextPaymentAmount: { minorUnits: 650_00n, currency: 'GBP' },
  creditor: { scheme: 'sort-code', identification: '40478412345670' },
};
const view = { accountId: 'id', detail: true, publicId: (id: string) => `public-${id}` };

describe('toStandingOrder', () => {
  it('shows the frequency, dates and amount, and the reference unchanged', () => {
    expect(toStandingOrder(order, view)).toEqual({
      AccountId: 'id',
      StandingOrderId: 'public-O1',
      Frequency: 'IntrvlMnthDay:01:15',
      Reference: '4929421234567897',
      StandingOrderStatusCode: 'Active',
      FirstPaymentDateTime: '2025-05-15T00:00:00+00:00',
      NextPaymentDateTime: '2026-05-15T00:00:00+00:00',
      FinalPaymentDateTime: '2027-05-15T09:00:00+00:00',
      NextPaymentAmount: { Amount: '650.00', Currency: 'GBP' },
      CreditorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '40478412345670' },
    });
  });

  it('fills the mandatory members of a sparse record, and writes NotKnown for a frequency outside the standard’s pattern', () => {
    const { id, creditor } = order;
    const bare = toStandingOrder(
      { id, creditor, active: false, frequency: { every: 'other' } },
      { ...view, detail: false },
    );
    expect(bare).toEqual({
      AccountId: 'id',
      StandingOrderId: 'public-O1',
      Frequency: 'NotKnown',
      StandingOrderStatusCode: 'Inactive',
    });
    expect(toStandingOrder({ ...order, reference: '' }, view).Reference).toBeUndefined();
  });

  it('cuts the reference to 35 characters without splitting one', () => {
    const reference = (text: string) => toStandingOrder({ ...order, reference: text }, view).Reference;
    expect(reference('r'.repeat(36))).toBe('r'.repeat(35));
    expect(reference(`${'r'.repeat(34)}\u{1f3e6}`)).toBe('r'.repeat(34));
  });
});
