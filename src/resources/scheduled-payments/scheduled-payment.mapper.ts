import type { CoreScheduledPayment } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { creditorAccount } from '../creditor-account.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { paymentReference } from '../../open-banking/free-text.js';
import { amount } from '../../open-banking/money.js';
import type { ScheduledPayment } from './scheduled-payment.schema.js';

export type ScheduledPaymentView = Pick<IdentifiedView, 'accountId' | 'detail' | 'publicId'>;

export function toScheduledPayment(payment: CoreScheduledPayment, view: ScheduledPaymentView): ScheduledPayment {
  return {
    AccountId: view.accountId,
    ScheduledPaymentId: view.publicId(payment.id),
    ScheduledPaymentDateTime: formatDateTime(payment.dueAt),
    ScheduledType: payment.type === 'arrival' ? 'Arrival' : 'Execution',
    Reference: paymentReference(payment.reference),
    InstructedAmount: amount(payment.amount.minorUnits, payment.amount.currency),
    CreditorAccount: view.detail ? creditorAccount(payment.creditor) : undefined,
  };
}
