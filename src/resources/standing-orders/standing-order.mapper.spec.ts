import { describe, expect, it } from '@jest/globals';
import type { CoreStandingOrder } from '../../../packages/core-adapter/core.records.js';
import { standingOrderFields } from './standing-order.mapper.js';

const order: CoreStandingOrder = {
  id: 'O1',
  status: 'active',
  frequency: { every: 'month', interval: 1, day: 15 },
  reference: '4929421234567897',
  firstPaymentAt: { date: '2025-05-15' },
  nextPaymentAt: { date: '2026-05-15' },
  finalPaymentAt: new Date('2027-05-15T09:00:00Z'),
  nextPaymentAmount: { minorUnits: 650_00n, currency: 'GBP' },
  categoryPurpose: 'CASH',
  creditor: { scheme: 'sort-code', identification: '40478412345670' },
  creditorAgent: { bic: 'SBOXGB2L' },
};
const view = { accountId: 'id', detail: true, publicId: (id: string) => `public-${id}` };

describe('standingOrderFields', () => {
  it('shows the frequency, dates and amount, and the reference unchanged', () => {
    expect(standingOrderFields(order, view)).toEqual({
      accountId: 'id',
      standingOrderId: 'public-O1',
      frequency: order.frequency,
      reference: '4929421234567897',
      status: 'active',
      firstPaymentAt: '2025-05-15T00:00:00+00:00',
      nextPaymentAt: '2026-05-15T00:00:00+00:00',
      finalPaymentAt: '2027-05-15T09:00:00+00:00',
      nextPaymentAmount: { Amount: '650.00', Currency: 'GBP' },
      creditor: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '40478412345670' },
      categoryPurpose: 'CASH',
      creditorAgent: { bic: 'SBOXGB2L' },
    });
  });

  it('fills the mandatory members of a sparse record', () => {
    const { id, creditor, creditorAgent } = order;
    const bare = standingOrderFields(
      { id, creditor, creditorAgent, status: 'suspended', frequency: { every: 'other' } },
      { ...view, detail: false },
    );
    expect(bare).toEqual({
      accountId: 'id',
      standingOrderId: 'public-O1',
      frequency: { every: 'other' },
      status: 'suspended',
    });
    expect(standingOrderFields({ ...order, reference: '' }, view).reference).toBeUndefined();
  });

  it('cuts the reference to 35 characters without splitting one', () => {
    const reference = (text: string) => standingOrderFields({ ...order, reference: text }, view).reference;
    expect(reference('r'.repeat(36))).toBe('r'.repeat(35));
    expect(reference(`${'r'.repeat(34)}\u{1f3e6}`)).toBe('r'.repeat(34));
  });
});
