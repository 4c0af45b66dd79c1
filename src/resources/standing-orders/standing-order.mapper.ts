import { optionalField } from '../../../packages/core-adapter/core-rows.js';
import type {
  CoreFrequency,
  CoreStandingOrder,
  CoreTime,
  MandateStatus,
} from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { creditorAccount, type CreditorAccount } from '../creditor-account.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { paymentReference } from '../../open-banking/free-text.js';
import { amount, type Amount } from '../../open-banking/money.js';

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
    firstPaymentAt: optionalField('firstPaymentAt', () => dateTime(order.firstPaymentAt)),
    nextPaymentAt: optionalField('nextPaymentAt', () => dateTime(order.nextPaymentAt)),
    finalPaymentAt: optionalField('finalPaymentAt', () => dateTime(order.finalPaymentAt)),
    status: order.status,
    nextPaymentAmount: optionalField('nextPaymentAmount', () => next && amount(next.minorUnits, next.currency)),
    creditor: view.detail ? creditorAccount(order.creditor) : undefined,
  };
}

function dateTime(at: CoreTime | undefined): string | undefined {
  return at && formatDateTime(at);
}
