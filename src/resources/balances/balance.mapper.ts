import { optionalField } from '../../../packages/core-adapter/core-rows.js';
import type { CoreBalance, CoreMoney } from '../../../packages/core-adapter/core.records.js';
import type { BookedBalance, LimitKind, ProductCredit } from '../../endpoint/bank-product.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { amount, creditDebit, signedAmount, type Amount, type CreditDebitIndicator } from '../../open-banking/money.js';

export type BalanceView = Pick<ResourceView, 'accountId'> & {
  readonly product: Pick<ResourceView['product'], 'bookedBalance' | 'credit'>;
  readonly settings: Pick<ResourceView['settings'], 'amounts'>;
};

export interface BalanceFields {
  readonly accountId: string;
  readonly creditDebit: CreditDebitIndicator;
  readonly kind: 'available' | `${BookedBalance}-booked`;
  readonly at: string;
  readonly amount: Amount;
  readonly creditLines: CreditLine[] | undefined;
}

export interface CreditLine {
  readonly included: boolean;
  /** `rest`: the unused part of the limit. */
  readonly kind: 'rest' | LimitKind;
  readonly amount: Amount;
}

export function balanceFields(balance: CoreBalance, view: BalanceView): BalanceFields {
  const { minorUnits, currency } = balance.amount;
  return {
    accountId: view.accountId,
    creditDebit: creditDebit(minorUnits),
    kind: balance.kind === 'available' ? 'available' : `${view.product.bookedBalance ?? 'interim'}-booked`,
    at: formatDateTime(balance.at),
    amount: view.settings.amounts === 'signed' ? signedAmount(minorUnits, currency) : amount(minorUnits, currency),
    creditLines:
      balance.kind === 'available'
        ? optionalField('creditLimit', () => creditLines(balance, view.product.credit))
        : undefined,
  };
}

/**
 * The credit in the standard's layout. The available balance is the rest of a credit line. An overdraft is not part of the
 * available balance: its rest is the limit less the amount by which that balance is below zero.
 */
function creditLines(balance: CoreBalance, credit: ProductCredit | undefined): CreditLine[] | undefined {
  const { amount: available, creditLimit: limit } = balance;
  const included = credit?.kind === 'credit-line';
  if (credit === undefined || (limit === undefined && !included)) return undefined;
  const left =
    included || limit === undefined ? available.minorUnits : limit.minorUnits - notBelowZero(-available.minorUnits);
  return [
    ...(limit === undefined || credit.limit === undefined ? [] : [line(included, credit.limit, limit)]),
    line(included, 'rest', { minorUnits: notBelowZero(left), currency: available.currency }),
  ];
}

function line(included: boolean, kind: CreditLine['kind'], money: CoreMoney): CreditLine {
  return { included, kind, amount: amount(money.minorUnits, money.currency) };
}

function notBelowZero(minorUnits: bigint): bigint {
  return minorUnits < 0n ? 0n : minorUnits;
}
