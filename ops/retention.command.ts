import type { Command } from 'commander';
import type { Clock } from '../src/clock/clock.js';
import type { TrailRetention } from '../src/config/retention-days.js';
import type { PrismaService } from '../src/persistence/prisma.service.js';
import type { Drops } from '../src/trail/dropped-days.js';
import { CommandFailed, type CommandOutput } from '../src/command-line/command.js';
import type { CommandContext, CommandSettings } from './command-settings.js';
import { recorded } from './recorded.js';
import { sweepAll, type Sweep } from '../src/persistence/sweep.js';
import { workOnDatabase } from './work-on-database.js';

const dayMs = 86_400_000;

export function addRetention(program: Command, context: CommandContext): void {
  program
    .command('retention')
    .summary(
      'as the maintenance role, daily: erases and removes the customers’ data and the trail’s days whose time has ended',
    )
    .description(
      'as the maintenance role, daily: erases the customers of consents that ended RETENTION_DAYS ago, and removes consents ' +
        'that ended twice as long ago; with TRAIL_RETENTION_DAYS and TRAIL_KEY, on each machine with a TRAIL_DIR, deletes the ' +
        'days of the trail past that term',
    )
    .action(async () =>
      context.answer(await recorded(context, { command: 'retention' }, () => retentionCommand(context))),
    );
}

/**
 * `retention`: erases the customer, the accounts and the names of consents that ended RETENTION_DAYS ago, removes consents
 * that ended twice as long ago, and removes rows that have expired. It works in short statements next to traffic. With
 * TRAIL_RETENTION_DAYS it then drops days of the trail. A run that was cut off is continued by the next one.
 */
async function retentionCommand({
  retentionDays,
  trailRetention,
  openDatabase,
  clock,
}: Pick<CommandSettings, 'retentionDays' | 'trailRetention' | 'openDatabase' | 'clock'>): Promise<CommandOutput> {
  const termMs = retentionDays() * dayMs;
  const ofTrail = trailRetention();
  const nowMs = clock.nowMs();
  // Loaded only for this command: the database's client is large.
  const [{ retainNext }, sweeps] = await Promise.all([
    import('../src/consents/erasure.store.js'),
    sweepsOfExpiredRows(),
  ]);
  const terms = { eraseEndedBy: new Date(nowMs - termMs), removeEndedBy: new Date(nowMs - 2 * termMs) };
  return workOnDatabase(openDatabase, async (prisma) => {
    const counts = { erased: 0, removed: 0 };
    let block: number | undefined = 0;
    while (block !== undefined) {
      const { erased, removed, next } = await retainNext(prisma, terms, block, new Date(nowMs));
      counts.erased += erased;
      counts.removed += removed;
      block = next;
    }
    let expired = 0;
    for (const sweep of sweeps) expired += await sweepAll(sweep, prisma, nowMs);
    const text =
      `${counts.erased} consents that ended by ${terms.eraseEndedBy.toISOString()} were erased, ` +
      `${counts.removed} that ended by ${terms.removeEndedBy.toISOString()} were removed, ` +
      `and ${expired} other rows that had expired were removed`;
    if (ofTrail === undefined) return { json: { ...counts, expired }, text };
    const trail = await dropTrail(prisma, ofTrail, clock, text);
    return {
      json: { ...counts, expired, trail },
      text: `${text}\n${trailText(trail, ofTrail.directory)}`,
      failed: trail.waiting.length > 0,
    };
  });
}

/** @param counts of the database, as a text for the complaint */
async function dropTrail(
  prisma: PrismaService,
  retention: TrailRetention,
  clock: Clock,
  counts: string,
): Promise<Drops> {
  const { days, directory, key } = retention;
  const [{ dropDays }, { trailKey }, { TrailRootsStore }] = await Promise.all([
    import('../src/trail/dropped-days.js'),
    import('../src/trail/root-record.js'),
    import('../src/trail/trail-roots.store.js'),
  ]);
  const parts = { directory, key: trailKey(key), chain: new TrailRootsStore(prisma), clock };
  return dropDays(days, parts).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined || error.path === undefined) throw error;
    throw new CommandFailed(
      `${counts}; but the trail ${directory} cannot be read or written (${error.code}): name its folder by TRAIL_DIR and run ` +
        'this again',
    );
  });
}

function trailText({ recorded, removed, waiting }: Drops, directory: string): string {
  const list = (days: readonly string[]) => (days.length === 0 ? 'none' : days.join(', '));
  return [
    `days of the trail that were deleted: ${list(recorded)}; removed from ${directory}: ${list(removed)}`,
    ...(waiting.length === 0
      ? []
      : [
          `kept, because a segment has no root yet: ${list(waiting)}; a gateway with this TRAIL_DIR makes it in a minute, ` +
            'or its log says why not',
        ]),
  ].join('\n');
}

/** A gateway removes these rows itself; this reaches also those of a part that no gateway runs any more. */
async function sweepsOfExpiredRows(): Promise<readonly Sweep[]> {
  const [
    { expiredRows },
    { sweepForgottenJourneys },
    { sweepExpiredProposals },
    { sweepLimitCounts },
    { sweepProofs },
  ] = await Promise.all([
    import('../src/authorisation-server/expired-rows.js'),
    import('../src/authorisation-server/sign-in/journey.store.js'),
    import('../src/consents/cases/proposal.store.js'),
    import('../src/quotas/limit-counts.store.js'),
    import('../src/security/tokens/proof.store.js'),
  ]);
  return [...expiredRows, sweepForgottenJourneys, sweepExpiredProposals, sweepLimitCounts, sweepProofs];
}
