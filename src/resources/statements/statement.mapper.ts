import { optionalField } from '../../../packages/core-adapter/core-rows.js';
import type { CoreMoney, CoreStatement } from '../../../packages/core-adapter/core.records.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import type { DateRange } from '../../open-banking/date-range.js';
import { formatDateTime, instantOf } from '../../open-banking/date-times.js';
import { amount, creditDebit, signedAmount } from '../../open-banking/money.js';
import type { Statement } from './statement.schema.js';

export type StatementView = Pick<ResourceView, 'accountId' | 'detail'> & {
  readonly settings: Pick<ResourceView['settings'], 'amounts'>;
};

const types = {
  regular: 'RegularPeriodic',
  annual: 'Annual',
  interim: 'Interim',
  opening: 'AccountOpening',
  closing: 'AccountClosure',
} as const;

export function toStatement(statement: CoreStatement, view: StatementView): Statement {
  return {
    AccountId: view.accountId,
    Type: types[statement.type],
    StartDateTime: formatDateTime(statement.startAt),
    EndDateTime: formatDateTime(statement.endAt),
    CreationDateTime: formatDateTime(statement.createdAt),
    StatementAmount: view.detail ? amounts(statement, view.settings.amounts === 'signed') : undefined,
    StatementDateTime: optionalField('paymentDueAt', () => paymentDue(statement.paymentDueAt)),
  };
}

function paymentDue(at: CoreStatement['paymentDueAt']): Statement['StatementDateTime'] {
  return at && [{ DateTime: formatDateTime(at), Type: 'UK.OBIE.PaymentDue' }];
}

/** docs/specification.md, "Statements", names the types. */
function amounts({ closingBalance, minimumPayment }: CoreStatement, signed: boolean): Statement['StatementAmount'] {
  const { minorUnits, currency } = closingBalance;
  const closing = {
    Amount: signed ? signedAmount(minorUnits, currency) : amount(minorUnits, currency),
    CreditDebitIndicator: creditDebit(minorUnits),
    Type: 'ClosingBalance',
  };
  const minimum = minimumPayment && optionalField('minimumPayment', () => minimumDue(minimumPayment));
  return minimum === undefined ? [closing] : [closing, minimum];
}

function minimumDue({ minorUnits, currency }: CoreMoney): NonNullable<Statement['StatementAmount']>[number] {
  return {
    Amount: amount(minorUnits, currency),
    // Money that the customer has to pay. Nothing to pay is zero, and zero is Credit.
    CreditDebitIndicator: creditDebit(-minorUnits),
    Type: 'UK.OBIE.MinimumPaymentDue',
  };
}

/** Completely inside; an absent edge is open. */
export function liesWithin(statement: CoreStatement, range: DateRange): boolean {
  return (
    instantOf(statement.startAt) >= (range.fromMs ?? -Infinity) &&
    // A last day without a time covers all of that day. The TPP sees and compares its 00:00.
    instantOf(statement.endAt) < (range.endMs ?? Infinity)
  );
}
