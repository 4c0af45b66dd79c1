import { optionalField } from '../../../packages/core-adapter/core-rows.js';
import type { CoreFrequency, CoreStandingOrder, MandateStatus } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { creditorAccount, type CreditorAccount } from '../creditor-account.js';
import { paymentReference } from '../../open-banking/free-text.js';
import { amount, type Amount } from '../../open-banking/money.js';
import { optionalDateTime } from '../optional-values.js';

export type StandingOrderView = Pick<IdentifiedView, 'accountId' | 'detail' | 'publicId'>;

export interface StandingOrderFields {
  readonly accountId: string;
  readonly standingOrderId: string;
  readonly frequency: CoreFrequency;
  readonly reference: string | undefined;
  readonly firstPaymentAt: string | undefined;
  readonly nextPaymentAt: string | undefined;
  readonly finalPaymentAt: string | undefined;
  readonly status: MandateStatus;
  readonly nextPaymentAmount: Amount | undefined;
  /** Only with Detail. */
  readonly creditor: CreditorAccount | undefined;
}

export function standingOrderFields(order: CoreStandingOrder, view: StandingOrderView): StandingOrderFields {
  const next = order.nextPaymentAmount;
  return {
    accountId: view.accountId,
    standingOrderId: view.publicId(order.id),
    frequency: order.frequency,
    reference: paymentReference(order.reference),
    firstPaymentAt: optionalDateTime('firstPaymentAt', order.firstPaymentAt),
    nextPaymentAt: optionalDateTime('nextPaymentAt', order.nextPaymentAt),
    finalPaymentAt: optionalDateTime('finalPaymentAt', order.finalPaymentAt),
    status: order.status,
    nextPaymentAmount: optionalField('nextPaymentAmount', () => next && amount(next.minorUnits, next.currency)),
    creditor: view.detail ? creditorAccount(order.creditor) : undefined,
  };
}
