import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';

export type FactsOfCore = Pick<CoreAdapter, 'pending' | 'maxTransactionHistory'>;

/**
 * The facts that hold for every account, whichever core has it: a pending transaction may come where one core shows any, its
 * id stays only if it does at each of these cores, and history is promised only as far back as at the core with the
 * shortest one.
 */
export function factsOfCores(cores: readonly FactsOfCore[]): FactsOfCore {
  const shown = cores.map(({ pending }) => pending).filter((pending) => pending !== 'none');
  const [shortest] = cores
    .flatMap(({ maxTransactionHistory }) => maxTransactionHistory ?? [])
    .sort((one, other) => daysIn(one) - daysIn(other));
  return {
    pending: shown.length === 0 ? 'none' : shown.includes('id-changes') ? 'id-changes' : 'id-kept',
    ...(shortest !== undefined && { maxTransactionHistory: shortest }),
  };
}

/** About: it only has to show which of two durations is longer. */
function daysIn(duration: string): number {
  const [, years = 0, months = 0, weeks = 0, days = 0] =
    /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/.exec(duration) ?? [];
  return Number(years) * 365.25 + Number(months) * 30.4375 + Number(weeks) * 7 + Number(days);
}
