import { describe, expect, it } from '@jest/globals';
import type { CoreScheduledPayment } from '../../../packages/core-adapter/core.records.js';
import { scheduledPaymentFields } from './scheduled-payment.mapper.js';

const payment: CoreScheduledPayment = {
  id: 'S1',
  dueAt: { date: '2026-05-02' },
  type: 'execution',
  reference: '4929421234567897',
  amount: { minorUnits: 12_34n, currency: 'GBP' },
  creditor: { scheme: 'sort-code', identification: '40478412345670' },
};
const view = { accountId: 'id', detail: true, publicId: (id: string) => `public-${id}` };

describe('scheduledPaymentFields', () => {
  it('shows a day without a time as its 00:00 UTC, and the reference unchanged', () => {
    expect(scheduledPaymentFields(payment, view)).toEqual({
      accountId: 'id',
      scheduledPaymentId: 'public-S1',
      dueAt: '2026-05-02T00:00:00+00:00',
      type: 'execution',
      reference: '4929421234567897',
      amount: { Amount: '12.34', Currency: 'GBP' },
      creditor: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '40478412345670' },
    });
  });

  it('withholds the creditor without the Detail code, and omits an absent reference', () => {
    const { reference: _, ...unreferenced } = payment;
    const shown = scheduledPaymentFields({ ...unreferenced, type: 'arrival' }, { ...view, detail: false });
    expect([shown.type, shown.creditor, shown.reference]).toEqual(['arrival', undefined, undefined]);
    expect(scheduledPaymentFields({ ...payment, reference: '' }, view).reference).toBeUndefined();
  });
});
