import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { FundsQuestion } from '../../packages/core-adapter/core.funds.js';
import type { CoreBalance, CoreMoney } from '../../packages/core-adapter/core.records.js';

/**
 * Whether at least the amount can be spent, by the balances of the account. The booked balance does not count: it includes
 * money that is reserved already.
 *
 * @param limitIsOverdraft whether the agreed limit is an overdraft. The available balance of a credit line is the rest of
 * the limit, so that the limit would count twice.
 * @throws CoreError without an available balance
 */
export function fundsAvailable(
  balances: readonly CoreBalance[],
  { amount, countOverdraft }: FundsQuestion,
  limitIsOverdraft: boolean,
): boolean {
  const inCurrency = ({ currency }: CoreMoney): boolean => currency === amount.currency;
  const available = balances.filter((balance) => balance.kind === 'available' && inCurrency(balance.amount));
  if (available.length === 0)
    throw new CoreError('bad-record', 'balances: the core sent no available balance in this currency');
  return available.every(({ amount: { minorUnits }, creditLimit }) => {
    const counts = countOverdraft && limitIsOverdraft && creditLimit !== undefined && inCurrency(creditLimit);
    return minorUnits + (counts ? creditLimit.minorUnits : 0n) >= amount.minorUnits;
  });
}
