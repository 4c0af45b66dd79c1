import type { CoreBalance } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { notNegative } from '../../../../packages/core-adapter/row-fields.js';
import { currencyCode, flag, money, moneyOrNone, requiredRow } from './fineract.fields.js';

/**
 * `availableBalance` already excludes held amounts, but not an overdraft or the minimum that must stay in the account.
 * The port wants the amount that the customer can spend without an overdraft.
 */
export function toBalances(row: Row, at: Date): CoreBalance[] {
  const currency = currencyCode(row);
  const summary = requiredRow(row.summary, 'summary');
  const available = money(summary.availableBalance, currency, 'summary.availableBalance').minorUnits;
  const enforced = flag(row.enforceMinRequiredBalance, 'enforceMinRequiredBalance');
  const minimum = enforced
    ? (moneyOrNone(row.minRequiredBalance, currency, 'minRequiredBalance')?.minorUnits ?? 0n)
    : 0n;
  return [
    { kind: 'booked', amount: money(summary.accountBalance, currency, 'summary.accountBalance'), at },
    {
      kind: 'available',
      amount: { minorUnits: available - minimum, currency },
      at,
      creditLimit: optionalField('creditLimit', () => overdraftLimit(row, currency)),
    },
  ];
}

function overdraftLimit(row: Row, currency: string): CoreBalance['creditLimit'] {
  if (!flag(row.allowOverdraft, 'allowOverdraft')) return undefined;
  const limit = moneyOrNone(row.overdraftLimit, currency, 'overdraftLimit');
  if (limit !== undefined) notNegative(limit.minorUnits, 'overdraftLimit');
  return limit;
}
