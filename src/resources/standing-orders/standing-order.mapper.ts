import { optionalCode, optionalField } from '../../../packages/core-adapter/core-rows.js';
import type { CoreStandingOrder } from '../../../packages/core-adapter/core.records.js';
import { isoCode } from '../../../packages/core-adapter/identifiers.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { agent, partyAccount } from '../payment-parties.js';
import { paymentReference } from '../../open-banking/free-text.js';
import { amount } from '../../open-banking/money.js';

export type StandingOrderView = Pick<IdentifiedView, 'accountId' | 'detail' | 'publicId'>;

export type StandingOrderFields = Readonly<ReturnType<typeof standingOrderFields>>;

export function standingOrderFields(order: CoreStandingOrder, view: StandingOrderView) {
  const next = order.nextPaymentAmount;
  return {
    accountId: view.accountId,
    standingOrderId: view.publicId(order.id),
    frequency: order.frequency,
    reference: paymentReference(order.reference),
    firstPaymentAt: optionalField('firstPaymentAt', () => order.firstPaymentAt && formatDateTime(order.firstPaymentAt)),
    nextPaymentAt: optionalField('nextPaymentAt', () => order.nextPaymentAt && formatDateTime(order.nextPaymentAt)),
    finalPaymentAt: optionalField('finalPaymentAt', () => order.finalPaymentAt && formatDateTime(order.finalPaymentAt)),
    status: order.status,
    categoryPurpose: optionalCode('categoryPurpose', order.categoryPurpose, isoCode),
    nextPaymentAmount: optionalField('nextPaymentAmount', () => next && amount(next.minorUnits, next.currency)),
    /** Only with Detail. */
    creditor: view.detail ? partyAccount(order.creditor) : undefined,
    creditorAgent: view.detail ? agent(order.creditorAgent, 'creditorAgent') : undefined,
  };
}
