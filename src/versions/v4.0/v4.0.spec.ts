import { describe, expect, it } from '@jest/globals';
import { notingUnread } from '../../../packages/core-adapter/core-rows.js';
import type { CoreRecord } from '../../core-banking/core-record.js';
import type { EndpointForm } from '../../endpoint/endpoint-form.js';
import type { EndpointRead } from '../../endpoint/endpoint-rule.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { directDebitsForm } from './direct-debits.form.js';

/** What a TPP reads of a record; `undefined` members are absent in the answer. */
function shown<Read extends EndpointRead>(form: EndpointForm<Read>, record: CoreRecord<Read>, detail = true): object {
  const view = { accountId: 'A1', detail, product: {}, settings: {}, publicId: (id: string) => id, customer: {} };
  const { item } = notingUnread(() => form.map(record, view as unknown as IdentifiedView));
  return JSON.parse(JSON.stringify(item)) as object;
}

describe('v4.0 of the standard', () => {
  it('shows what the core knows of the mandate of a direct debit', () => {
    const debit = { id: 'D1', mandate: 'GYM-1', status: 'active', name: 'GYM' } as const;
    const mandate = (over: object) => shown(directDebitsForm, { ...debit, ...over });
    expect(mandate({})).toMatchObject({
      MandateRelatedInformation: { MandateIdentification: 'GYM-1', Frequency: { Type: 'NONE' } },
    });
    expect(
      mandate({
        frequency: { every: 'month', interval: 1, day: 5 },
        classification: 'fixed',
        categoryPurpose: 'SUPP',
        firstPaymentAt: { date: '2026-01-05' },
        finalPaymentAt: { date: '2026-12-05' },
        reason: 'Membership',
      }),
    ).toEqual({
      AccountId: 'A1',
      DirectDebitId: 'D1',
      MandateRelatedInformation: {
        MandateIdentification: 'GYM-1',
        Frequency: { Type: 'MNTH', PointInTime: '05' },
        CategoryPurposeCode: 'SUPP',
        FirstPaymentDateTime: '2026-01-05T00:00:00+00:00',
        FinalPaymentDateTime: '2026-12-05T00:00:00+00:00',
        Classification: 'FIXE',
        Reason: 'Membership',
      },
      DirectDebitStatusCode: 'ACTV',
      Name: 'GYM',
    });
  });
});
