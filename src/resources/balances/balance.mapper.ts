import { optionalField } from '../../../packages/core-adapter/core-rows.js';
import type { CoreBalance, CoreMoney } from '../../../packages/core-adapter/core.records.js';
import type { ProductCredit } from '../../endpoint/bank-product.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { amount, creditDebit, signedAmount } from '../../open-banking/money.js';
import type { Balance } from './balance.schema.js';

export type BalanceView = Pick<ResourceView, 'accountId'> & {
  readonly product: Pick<ResourceView['product'], 'bookedBalance' | 'credit'>;
  readonly settings: Pick<ResourceView['settings'], 'amounts'>;
};

export function toBalance(balance: CoreBalance, view: BalanceView): Balance {
  const { minorUnits, currency } = balance.amount;
  return {
    AccountId: view.accountId,
    CreditDebitIndicator: creditDebit(minorUnits),
    Type: balance.kind === 'available' ? 'InterimAvailable' : (view.product.bookedBalance ?? 'InterimBooked'),
    DateTime: formatDateTime(balance.at),
    Amount: view.settings.amounts === 'signed' ? signedAmount(minorUnits, currency) : amount(minorUnits, currency),
    CreditLine:
      balance.kind === 'available'
        ? optionalField('creditLimit', () => creditLines(balance, view.product.credit))
        : undefined,
  };
}

/**
 * The credit in the standard's layout. The available balance is the rest of a credit line. An overdraft is no part of the
 * available balance: its rest is the limit less the amount by which that balance is below zero.
 */
function creditLines(balance: CoreBalance, credit: ProductCredit | undefined): Balance['CreditLine'] {
  const { amount: available, creditLimit: limit } = balance;
  const included = credit?.kind === 'credit-line';
  if (credit === undefined || (limit === undefined && !included)) return undefined;
  const left =
    included || limit === undefined ? available.minorUnits : limit.minorUnits - notBelowZero(-available.minorUnits);
  return [
    ...(limit === undefined || credit.limitType === undefined ? [] : [line(included, credit.limitType, limit)]),
    line(included, 'Available', { minorUnits: notBelowZero(left), currency: available.currency }),
  ];
}

function line(included: boolean, type: string, money: CoreMoney): NonNullable<Balance['CreditLine']>[number] {
  return { Included: included, Type: type, Amount: amount(money.minorUnits, money.currency) };
}

function notBelowZero(minorUnits: bigint): bigint {
  return minorUnits < 0n ? 0n : minorUnits;
}
