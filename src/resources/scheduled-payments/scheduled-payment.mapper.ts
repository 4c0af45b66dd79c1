import type { CoreScheduledPayment } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { agent, partyAccount } from '../payment-parties.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { paymentReference } from '../../open-banking/free-text.js';
import { amount } from '../../open-banking/money.js';

export type ScheduledPaymentView = Pick<IdentifiedView, 'accountId' | 'detail' | 'publicId'>;

export function scheduledPaymentFields(payment: CoreScheduledPayment, view: ScheduledPaymentView) {
  return {
    accountId: view.accountId,
    scheduledPaymentId: view.publicId(payment.id),
    dueAt: formatDateTime(payment.dueAt),
    type: payment.type,
    reference: paymentReference(payment.reference),
    amount: amount(payment.amount.minorUnits, payment.amount.currency),
    /** Only with Detail. */
    creditor: view.detail ? partyAccount(payment.creditor) : undefined,
    creditorAgent: view.detail ? agent(payment.creditorAgent, 'creditorAgent') : undefined,
  };
}
