import type { CoreBalance, CoreMoney, CoreProduct } from '../../../packages/core-adapter/core.records.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { amount, creditDebit, signedAmount } from '../../open-banking/money.js';
import type { Balance } from './balance.schema.js';

export type BalanceView = Pick<ResourceView, 'accountId' | 'product'> & {
  readonly settings: Pick<ResourceView['settings'], 'amounts'>;
};

export function toBalance(balance: CoreBalance, view: BalanceView): Balance {
  const { minorUnits, currency } = balance.amount;
  return {
    AccountId: view.accountId,
    CreditDebitIndicator: creditDebit(minorUnits),
    Type: typeOf(balance, view.product),
    DateTime: formatDateTime(balance.at),
    Amount: view.settings.amounts === 'signed' ? signedAmount(minorUnits, currency) : amount(minorUnits, currency),
    CreditLine: balance.kind === 'available' ? creditLine(balance, view.product) : undefined,
  };
}

/** docs/specification.md, "Balances". */
function typeOf(balance: CoreBalance, product: CoreProduct): string {
  if (balance.kind === 'available') return 'InterimAvailable';
  return product === 'CreditCard' ? 'ClosingBooked' : 'InterimBooked';
}

/**
 * Credit lines in the standard's layout. On a card the available balance is the credit that is left. An overdraft is not
 * part of the balance: its lines show its limit, and how much of it is left.
 */
function creditLine(balance: CoreBalance, product: CoreProduct): Balance['CreditLine'] {
  const { minorUnits: available, currency } = balance.amount;
  if (product === 'CreditCard') return [line(true, 'Available', { minorUnits: notBelowZero(available), currency })];
  const limit = balance.overdraftLimit;
  if (product !== 'CurrentAccount' || limit === undefined) return undefined;
  const used = notBelowZero(-available);
  return [
    line(false, 'Pre-Agreed', limit),
    line(false, 'Available', { minorUnits: notBelowZero(limit.minorUnits - used), currency: limit.currency }),
  ];
}

function line(included: boolean, type: string, money: CoreMoney): NonNullable<Balance['CreditLine']>[number] {
  return { Included: included, Type: type, Amount: amount(money.minorUnits, money.currency) };
}

function notBelowZero(minorUnits: bigint): bigint {
  return minorUnits < 0n ? 0n : minorUnits;
}
