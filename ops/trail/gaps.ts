import { CommandFailed } from '../../src/command-line/command.js';
import { readDatabaseSettings } from '../../src/config/database-settings.js';
import { BootError } from '../../src/config/boot-error.js';
import type { SearchScope } from '../../src/trail/trail-search.js';
import { daysOfChain } from './days-of-chain.js';
import { recordFiles, type RecordFiles } from './record-files.js';
import { isAsked, type AskedTime, type SearchedTrail } from './searched-trail.js';

/**
 * The days of the asked time of which not all events could be searched: the retention dropped the day, a segment of it is in
 * none of the folders, or none of the folders has the day. A command must not deny their events.
 */
export async function gapsIn(
  { segments }: Pick<SearchedTrail, 'segments'>,
  folders: readonly string[],
  time: AskedTime,
  note: (line: string) => void,
): Promise<Pick<SearchScope, 'unsearched' | 'rootsUnread'>> {
  const present = new Set(segments.map(({ segment }) => segment));
  const { records, rootsUnread } = await chainRecords(folders, time, note);
  const { dropped, incomplete } = daysOfChain(records, present);
  const ofChain = [
    ...dropped.map((day) => ({ day, state: 'dropped' })),
    ...incomplete.map((day) => ({ day, state: 'incomplete' })),
  ].filter(({ day }) => isAsked(day, time));
  const trailDays = new Set([...segments, ...ofChain].map(({ day }) => day));
  const missing = namedDays(time, trailDays).filter((day) => !trailDays.has(day));
  const unsearched = [...ofChain, ...missing.map((day) => ({ day, state: 'missing' }))];
  return {
    unsearched: unsearched.sort((one, other) => (one.day < other.day ? -1 : 1)),
    ...(rootsUnread && { rootsUnread }),
  };
}

const dayMs = 86_400_000;

/** Each day of a time with both ends; of a time with one end the day at it, where no day of the time is known. */
function namedDays(time: AskedTime, trailDays: ReadonlySet<string>): readonly string[] {
  const first = time.from?.slice(0, 10);
  const last = time.to === undefined ? undefined : dayOfMs(Date.parse(time.to) - 1);
  if (first !== undefined && last !== undefined) {
    const days = Math.max(0, (Date.parse(last) - Date.parse(first)) / dayMs + 1);
    return Array.from({ length: days }, (_, index) => dayOfMs(Date.parse(first) + index * dayMs));
  }
  return [first ?? last ?? []].flat().filter(() => ![...trailDays].some((day) => isAsked(day, time)));
}

function dayOfMs(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

interface ChainRecords extends Pick<RecordFiles, 'records'> {
  readonly rootsUnread?: true;
}

/** From the database, which has the records of every machine. Without one, from the files in the folders. */
async function chainRecords(
  folders: readonly string[],
  { from }: AskedTime,
  note: (line: string) => void,
): Promise<ChainRecords> {
  const ofFiles = async () => (await recordFiles(folders, from?.slice(0, 10))).records;
  if (readDatabaseSettings().url === undefined) return { records: await ofFiles() };
  // The module opens PostgreSQL, which takes a quarter of a second to load.
  const { rootRecords } = await import('./root-records.js');
  try {
    return { records: (await rootRecords(folders)).records };
  } catch (error) {
    if (!(error instanceof CommandFailed || error instanceof BootError)) throw error;
    note(`${error.message} Missing days cannot be detected.`);
    return { records: await ofFiles(), rootsUnread: true };
  }
}
