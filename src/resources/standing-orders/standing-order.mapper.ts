import { optionalField } from '../../../packages/core-adapter/core-rows.js';
import type { CoreStandingOrder, CoreTime } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { creditorAccount } from '../creditor-account.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { paymentReference } from '../../open-banking/free-text.js';
import { formatFrequency } from '../../open-banking/frequency.js';
import { amount } from '../../open-banking/money.js';
import type { StandingOrder } from './standing-order.schema.js';

export type StandingOrderView = Pick<IdentifiedView, 'accountId' | 'detail' | 'publicId'>;

export function toStandingOrder(order: CoreStandingOrder, view: StandingOrderView): StandingOrder {
  const next = order.nextPaymentAmount;
  return {
    AccountId: view.accountId,
    StandingOrderId: view.publicId(order.id),
    Frequency: formatFrequency(order.frequency),
    Reference: paymentReference(order.reference),
    FirstPaymentDateTime: optionalField('firstPaymentAt', () => dateTime(order.firstPaymentAt)),
    NextPaymentDateTime: optionalField('nextPaymentAt', () => dateTime(order.nextPaymentAt)),
    FinalPaymentDateTime: optionalField('finalPaymentAt', () => dateTime(order.finalPaymentAt)),
    StandingOrderStatusCode: order.active ? 'Active' : 'Inactive',
    NextPaymentAmount: optionalField('nextPaymentAmount', () => next && amount(next.minorUnits, next.currency)),
    CreditorAccount: view.detail ? creditorAccount(order.creditor) : undefined,
  };
}

function dateTime(at: CoreTime | undefined): string | undefined {
  return at && formatDateTime(at);
}
