import { optionalField } from '../../../packages/core-adapter/core-rows.js';
import type { CoreMoney, CoreStatement } from '../../../packages/core-adapter/core.records.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import type { DateRange } from '../../open-banking/date-range.js';
import { formatDateTime, instantOf } from '../../open-banking/date-times.js';
import { amount, creditDebit, signedAmount, type Amount, type CreditDebitIndicator } from '../../open-banking/money.js';

export type StatementView = Pick<ResourceView, 'accountId' | 'detail'> & {
  readonly settings: Pick<ResourceView['settings'], 'amounts'>;
};

export interface StatementAmount {
  readonly kind: 'closing-balance' | 'minimum-payment-due';
  readonly creditDebit: CreditDebitIndicator;
  readonly amount: Amount;
}

export type StatementFields = Readonly<ReturnType<typeof statementFields>>;

export function statementFields(statement: CoreStatement, view: StatementView) {
  const { paymentDueAt } = statement;
  return {
    accountId: view.accountId,
    type: statement.type,
    startAt: formatDateTime(statement.startAt),
    endAt: formatDateTime(statement.endAt),
    createdAt: formatDateTime(statement.createdAt),
    /** Only with Detail. */
    amounts: view.detail ? amounts(statement, view.settings.amounts === 'signed') : undefined,
    paymentDueAt: optionalField('paymentDueAt', () => paymentDueAt && formatDateTime(paymentDueAt)),
  };
}

function amounts({ closingBalance, minimumPayment }: CoreStatement, signed: boolean): StatementAmount[] {
  const { minorUnits, currency } = closingBalance;
  const closing: StatementAmount = {
    kind: 'closing-balance',
    creditDebit: creditDebit(minorUnits),
    amount: signed ? signedAmount(minorUnits, currency) : amount(minorUnits, currency),
  };
  const minimum = minimumPayment && optionalField('minimumPayment', () => minimumDue(minimumPayment));
  return minimum === undefined ? [closing] : [closing, minimum];
}

function minimumDue({ minorUnits, currency }: CoreMoney): StatementAmount {
  return {
    kind: 'minimum-payment-due',
    // Money that the customer has to pay. Nothing to pay is zero, and zero is Credit.
    creditDebit: creditDebit(-minorUnits),
    amount: amount(minorUnits, currency),
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
