import type { Command } from 'commander';
import { UsageError } from '../../src/command-line/command.js';
import { askedFolders, type TrailOption } from '../trail/asked-folders.js';
import { daysOfChain } from '../trail/days-of-chain.js';
import { rootRecords } from '../trail/root-records.js';
import { withTrail, type SearchedTrail } from '../trail/searched-trail.js';
import { measure, neededEvents } from './measured-trail.js';
import { dayOf, type Period } from './period.js';

export interface FirstDayOption extends TrailOption {
  readonly from?: string;
}

export function withFirstDay(command: Command): Command {
  return command.option(
    '--from <D>',
    'the first day of the trail that is read; consents and outages of earlier days are not known',
  );
}

/** @throws UsageError for a text that is not a day, and for a day after the first one of the period */
export function firstDayOf({ from }: FirstDayOption, { fromMs }: Period, nowMs: number): string | undefined {
  if (from !== undefined && dayOf('from', from, nowMs).fromMs > fromMs)
    throw new UsageError('--from is after the first day of the report');
  return from;
}

/**
 * Measures the trail of the period in the folders that were given, and does the work on its tables.
 * @param from the first day that is read; absent: the first of the trail
 */
export async function measuring<Result>(
  options: TrailOption,
  period: Period,
  note: (line: string) => void,
  from: string | undefined,
  work: (trail: SearchedTrail) => Promise<Result>,
): Promise<Result> {
  const folders = askedFolders(options);
  const needed = neededEvents(period, from);
  return withTrail(folders, needed, note, async (trail) => {
    const { records } = await rootRecords(folders, needed.from.slice(0, 10));
    await measure(trail, period, daysOfChain(records, new Set(trail.segments.map(({ segment }) => segment))));
    return work(trail);
  });
}
