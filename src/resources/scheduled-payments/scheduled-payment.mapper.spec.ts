import { describe, expect, it } from '@jest/globals';
import type { CoreScheduledPayment } from '../../../packages/core-adapter/core.records.js';
import { toScheduledPayment } from './scheduled-payment.mapper.js';

const payment: CoreScheduledPayment = {
  id: 'S1',
  dueAt: { date: '2026-05-02' },
  type: 'execution',
  reference: '4929421234567897',
  amount: { minorUnits: 12_34n, currency: 'GBP' },
  creditor: { scheme: 'sort-code', identification: '40478412345670' },
};
const view = { accountId: 'id', detail: true, publicId: (id: string) => `public-${id}` };

describe('toScheduledPayment', () => {
  it('shows a day without a time as its 00:00 UTC, and the reference unchanged', () => {
    expect(toScheduledPayment(payment, view)).toEqual({
      AccountId: 'id',
      ScheduledPaymentId: 'public-S1',
      ScheduledPaymentDateTime: '2026-05-02T00:00:00+00:00',
      ScheduledType: 'Execution',
      Reference: '4929421234567897',
      InstructedAmount: { Amount: '12.34', Currency: 'GBP' },
      CreditorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '40478412345670' },
    });
  });

  it('withholds the creditor without the Detail code, and leaves out an absent reference', () => {
    const { reference: _, ...unreferenced } = payment;
    const shown = toScheduledPayment({ ...unreferenced, type: 'arrival' }, { ...view, detail: false });
    expect([shown.ScheduledType, shown.CreditorAccount, shown.Reference]).toEqual(['Arrival', undefined, undefined]);
    expect(toScheduledPayment({ ...payment, reference: '' }, view).Reference).toBeUndefined();
  });
});
