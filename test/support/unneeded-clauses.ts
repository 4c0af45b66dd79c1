import type { AccountTruth, ClauseId } from '../../packages/adapter-kit/adapter-kit.js';
import { accountReads } from '../../packages/core-adapter/core.adapter.js';

/** The clauses whose subject the columns of a bank's file do not have, each with the reason. */
export function clausesWithout(truths: readonly AccountTruth[]): Partial<Record<ClauseId, string>> {
  const has = (is: (truth: AccountTruth) => boolean): boolean => truths.some(is);
  const values = truths.flatMap((truth) =>
    accountReads.flatMap((read) => (truth[read] ?? []).flatMap((record) => Object.values(record) as unknown[])),
  );
  const hasTimes = values.some((value) => value instanceof Date);
  const hasDays = values.some((value) => typeof value === 'object' && value !== null && 'date' in value);
  const subjects: readonly (readonly [isThere: boolean, reason: string, ...ids: ClauseId[]])[] = [
    [has(({ account }) => !account.permitted), 'the customer may read every account', 'CORE-09'],
    [
      has(({ account }) => account.currency !== 'GBP'),
      'all accounts have one currency',
      'CORE-22',
      'CORE-57',
      'CORE-68',
    ],
    [hasDays, 'every record has a time', 'CORE-24'],
    [hasTimes, 'every record has a day', 'CORE-27', 'CORE-28'],
    [
      has(({ transactions = [] }) => transactions.some(({ at }) => at instanceof Date)),
      'transactions have days, which have no hour that could be wrong',
      'CORE-26',
    ],
    [has(({ account }) => account.cardLastFour !== undefined), 'the accounts have no cards', 'CORE-41'],
    [
      has(({ balances = [] }) => balances.some(({ creditLimit }) => creditLimit !== undefined)),
      'no balance has a credit limit',
      'CORE-80',
    ],
  ];
  return Object.fromEntries(
    subjects.flatMap(([isThere, reason, ...ids]) => (isThere ? [] : ids.map((id) => [id, reason]))),
  );
}
