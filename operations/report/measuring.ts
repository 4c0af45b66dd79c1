import type { Given } from '../command-line.js';
import { rootRecords } from '../trail/root-records.js';
import { withTrail, type SearchedTrail } from '../trail/searched-trail.js';
import { askedFolders } from '../trail/asked-folders.js';
import { daysOfChain } from '../trail/days-of-chain.js';
import { measure, neededTime } from './measured-trail.js';
import type { Period } from './period.js';

/** Measures the trail of the period in the folders that were given, and does the work on its tables. */
export async function measuring<Result>(
  given: Given,
  period: Period,
  tell: (line: string) => void,
  work: (trail: SearchedTrail) => Promise<Result>,
): Promise<Result> {
  const folders = askedFolders(given);
  return withTrail(folders, neededTime(period), tell, async (trail) => {
    const { records } = await rootRecords(folders);
    await measure(trail, period, daysOfChain(records, new Set(trail.segments.map(({ segment }) => segment))));
    return work(trail);
  });
}
