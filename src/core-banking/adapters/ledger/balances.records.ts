import type { CoreAccount, CoreBalance } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { notNegative, optionalIntegerOf, integerOf, wordOf } from '../../../../packages/core-adapter/row-fields.js';
import { money, time } from './ledger.fields.js';

const figureKinds: Readonly<Record<string, CoreBalance['kind']>> = { LEDGER: 'booked', SPEND: 'available' };

/**
 * The ledger counts a card's debt as positive and includes the arranged overdraft in the figure that a current account
 * can spend. The port counts debt as negative and excludes the overdraft.
 */
export function toBalance(row: Row, account: CoreAccount): CoreBalance {
  const kind = wordOf(row, 'fig', figureKinds);
  const minorUnits = integerOf(row, 'amt');
  const arranged = optionalIntegerOf(row, 'arranged');
  const owed = account.product === 'CreditCard' && kind === 'booked';
  return {
    kind,
    amount: money(owed ? -minorUnits : minorUnits - (arranged ?? 0n), account.currency),
    at: time(row.at, 'at'),
    creditLimit: arranged === undefined ? undefined : money(notNegative(arranged, 'arranged'), account.currency),
  };
}
