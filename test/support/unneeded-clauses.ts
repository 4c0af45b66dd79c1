import { type AccountTruth, type ClauseId, clauses } from '../../packages/adapter-kit/adapter-kit.js';
import { type AccountRead, accountReads, type CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { CoreTime } from '../../packages/core-adapter/core.records.js';

/** The clauses whose subject the columns of a bank's file do not have, each with the reason. */
export function clausesWithout(
  { pending, missing }: Pick<CoreAdapter, 'pending' | 'missing'>,
  truths: readonly AccountTruth[],
): Partial<Record<ClauseId, string>> {
  const reasons: Partial<Record<ClauseId, string>> = {};
  for (const { id, reads } of clauses) {
    const [first] = reads.flatMap((read) => missing[read as AccountRead] ?? []);
    if (reads.length > 0 && reads.every((read) => missing[read as AccountRead] !== undefined) && first !== undefined)
      reasons[id] = first;
  }
  if (pending === 'none') reasons['CORE-34'] = 'the core shows no pending transactions';
  if (pending !== 'id-kept') reasons['CORE-35'] = 'no transaction keeps its id when it is booked';
  const has = (is: (truth: AccountTruth) => boolean): boolean => truths.some(is);
  if (!has(({ account }) => account.cardLastFour !== undefined)) reasons['CORE-41'] = 'the accounts have no cards';
  if (!has(({ account }) => account.currency !== 'GBP')) {
    reasons['CORE-22'] = 'all accounts have one currency';
    reasons['CORE-57'] = 'all accounts have one currency';
    reasons['CORE-68'] = 'all accounts have one currency';
  }
  if (!has(({ balances = [] }) => balances.some(({ creditLimit }) => creditLimit !== undefined)))
    reasons['CORE-80'] = 'no balance has a credit limit';
  if (!has(({ account }) => !account.permitted)) reasons['CORE-09'] = 'the customer may read every account';
  if (!has(({ transactions = [] }) => transactions.some(({ at }) => at instanceof Date)))
    reasons['CORE-26'] = 'transactions have days, which have no hour that could be wrong';
  const times = truths.flatMap(timesOf);
  if (times.every((time) => time instanceof Date)) reasons['CORE-24'] = 'every record has a time';
  if (!times.some((time) => time instanceof Date)) {
    reasons['CORE-27'] = 'every record has a day';
    reasons['CORE-28'] = 'every record has a day';
  }
  return reasons;
}

function timesOf(truth: AccountTruth): CoreTime[] {
  return accountReads.flatMap((read) => (truth[read] ?? []).flatMap((record) => Object.values(record).filter(isTime)));
}

function isTime(value: unknown): value is CoreTime {
  return value instanceof Date || (typeof value === 'object' && value !== null && 'date' in value);
}
