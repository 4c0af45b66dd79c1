import type { CommandOutput, CommandSettings } from './command.js';
import { sweepAll, type Sweep } from '../persistence/sweep.js';
import { workOnDatabase } from './work-on-database.js';

const dayMs = 86_400_000;

/**
 * `retention`: erases the customer, the accounts and the names of consents that ended RETENTION_DAYS ago, removes consents
 * that ended twice as long ago, and removes rows that have expired. It works in short statements next to traffic. A run
 * that was cut off is continued by the next one.
 */
export async function retentionCommand({
  retentionDays,
  openDatabase,
  clock,
}: Pick<CommandSettings, 'retentionDays' | 'openDatabase' | 'clock'>): Promise<CommandOutput> {
  const termMs = retentionDays() * dayMs;
  const nowMs = clock.nowMs();
  // Loaded only for this command: the database's client is large.
  const [{ retainNext }, sweeps] = await Promise.all([import('../consents/erasure.store.js'), sweepsOfExpiredRows()]);
  const terms = { eraseEndedBy: new Date(nowMs - termMs), removeEndedBy: new Date(nowMs - 2 * termMs) };
  return workOnDatabase(openDatabase, async (prisma) => {
    const counts = { erased: 0, removed: 0 };
    let after: string | undefined = '';
    while (after !== undefined) {
      const { erased, removed, last } = await retainNext(prisma, terms, after, new Date(nowMs));
      counts.erased += erased;
      counts.removed += removed;
      after = last;
    }
    let expired = 0;
    for (const sweep of sweeps) expired += await sweepAll(sweep, prisma, nowMs);
    const text =
      `${counts.erased} consents that ended by ${terms.eraseEndedBy.toISOString()} were erased, ` +
      `${counts.removed} that ended by ${terms.removeEndedBy.toISOString()} were removed, ` +
      `and ${expired} other rows that had expired were removed`;
    return { json: { ...counts, expired }, text };
  });
}

/** A gateway removes these rows itself; this reaches also those of a part that no gateway runs any more. */
async function sweepsOfExpiredRows(): Promise<readonly Sweep[]> {
  const [
    { expiredRows },
    { sweepExpiredCoreStates },
    { sweepLapsedProposals },
    { sweepUnattendedReads },
    { sweepProofs },
  ] = await Promise.all([
    import('../authorisation-server/expired-rows.js'),
    import('../consents/core-state.store.js'),
    import('../consents/cases/proposal.store.js'),
    import('../quotas/unattended-reads.store.js'),
    import('../security/tokens/prisma-proof.store.js'),
  ]);
  return [...expiredRows, sweepExpiredCoreStates, sweepLapsedProposals, sweepUnattendedReads, sweepProofs];
}
