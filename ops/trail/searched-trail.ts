import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { CommandFailed } from '../../src/command-line/command.js';
import type { SegmentRoot } from '../../src/trail/root-record.js';
import { segmentFiles, type ListedSegments, type SegmentFile } from '../../src/trail/segment-files.js';
import type { SearchScope } from '../../src/trail/trail-search.js';
import { indexOf, type RootedDay } from './day-index.js';
import { countOf, eventColumns, eventsOf } from './event-columns.js';
import { recordNextTo } from './record-files.js';
import { literal, literals, withDuckDb } from './trail-database.js';

/** A time that is asked for: ISO 8601 in UTC, from the first instant to the one after the last. */
export interface AskedTime {
  readonly from?: string;
  readonly to?: string;
}

/** The events that a query needs. */
export interface EventSelection extends AskedTime {
  /** The query needs only the events with one of these texts in their lines. An index has the others too. */
  readonly texts?: readonly string[];
  /** The days before `from`, of which events of these kinds are needed. Absent: none. */
  readonly before?: {
    readonly kinds: readonly string[];
    /** The first of them: `2026-10-01`; absent: the first day of the trail. */
    readonly from: string | undefined;
  };
}

/** The trail of several machines, for queries on the view `events`. */
export interface SearchedTrail {
  readonly connection: DuckDBConnection;
  readonly searched: SearchScope;
  /** The segments of the time that is asked for. */
  readonly segments: readonly SegmentFile[];
  /** The roots of the days before the time that is asked for, of which `events` has some kinds alone. */
  readonly earlier: readonly SegmentRoot[];
  /** The days that got an index now. */
  readonly indexed: readonly string[];
}

/**
 * Makes the indexes that a query needs, and does the query.
 * @throws CommandFailed where a folder cannot be read
 */
export function withTrail<Result>(
  folders: readonly string[],
  needed: EventSelection,
  note: (line: string) => void,
  work: (trail: SearchedTrail) => Promise<Result>,
): Promise<Result> {
  return withDuckDb(async (connection) => {
    const attempt = () => searchable(connection, folders, needed, note);
    // A process may close a segment, and so rename it, between its listing and its reading.
    return work(
      await attempt().catch((error: unknown) => (isGone(error) ? attempt() : Promise.reject(error as Error))),
    );
  });
}

async function searchable(
  connection: DuckDBConnection,
  folders: readonly string[],
  needed: EventSelection,
  note: (line: string) => void,
): Promise<SearchedTrail> {
  const listed = await Promise.all(folders.map((folder) => listSegments(folder)));
  for (const { path, why } of listed.flatMap(({ refused }) => refused)) note(`${path} was ignored: ${why}`);
  const { texts, before } = needed;
  const found = listed.flatMap(({ segments }) => segments);
  const wanted = withoutCopies(found.filter(({ day }) => isAsked(day, before ? { ...needed, ...before } : needed)));
  const closed = (areAsked: boolean) =>
    wanted.filter(({ state, day }) => state === 'closed' && isAsked(day, needed) === areAsked);
  const inTime = await closedEvents(connection, closed(true), needed, note);
  const earlier = await closedEvents(connection, closed(false), needed, note);
  const open = wanted.filter(({ state }) => state === 'open').map(({ path }) => path);
  await connection.run(`CREATE OR REPLACE TEMP TABLE open_events AS ${eventsOf(open, texts)}`);
  const unrooted = [...inTime.unrooted, ...earlier.unrooted];
  const parts = ['FROM open_events', ...inTime.selects, ...(unrooted.length > 0 ? [eventsOf(unrooted, texts)] : [])];
  const isKept = `"kind" IN (${(before?.kinds ?? []).map(literal).join(', ')})`;
  parts.push(...earlier.selects.map((select) => `FROM (${select}) WHERE ${isKept}`));
  await connection.run(`CREATE OR REPLACE TEMP VIEW events AS ${parts.join(' UNION ALL BY NAME ')}`);
  const [[openEvents] = []] = (await connection.runAndReadAll(countOf(open))).getRows();
  const distinct = (member: 'instance' | 'day') => [...new Set(wanted.map((segment) => segment[member]))].sort();
  return {
    connection,
    segments: wanted,
    earlier: earlier.roots,
    searched: { instances: distinct('instance'), days: distinct('day'), openEvents: Number(openEvents) },
    indexed: [...earlier.indexed, ...inTime.indexed],
  };
}

interface ClosedEvents {
  /** From the indexes of the days, and from the segments of days that can have none. */
  readonly selects: readonly string[];
  /** The paths of the segments without a root, which are in no index. */
  readonly unrooted: readonly string[];
  readonly roots: readonly SegmentRoot[];
  /** The days that got an index now. */
  readonly indexed: readonly string[];
}

async function closedEvents(
  connection: DuckDBConnection,
  closed: readonly SegmentFile[],
  { texts }: EventSelection,
  note: (line: string) => void,
): Promise<ClosedEvents> {
  const roots = new Map(await Promise.all(closed.map(async (file) => [file, await recordNextTo(file)] as const)));
  const unrooted = closed.filter((file) => roots.get(file) === undefined).map(({ path }) => path);
  const indexes: string[] = [];
  const plain: string[] = [];
  const indexed: string[] = [];
  for (const rooted of rootedDays(closed, (file) => roots.get(file))) {
    const index = await indexOf(connection, rooted, note);
    if (index === undefined) plain.push(...rooted.segments.map(({ path }) => path));
    else indexes.push(index.path);
    if (index?.made) indexed.push(rooted.day);
  }
  const selects = plain.length > 0 ? [eventsOf(plain, texts)] : [];
  if (indexes.length > 0) selects.push(`SELECT ${eventColumns} FROM read_parquet(${literals(indexes)})`);
  return { selects, unrooted, roots: [...roots.values()].filter((root) => root !== undefined), indexed };
}

/** @param from the first day */
export async function listSegments(folder: string, from?: string): Promise<ListedSegments> {
  return segmentFiles(folder, from).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(
      `the trail ${folder} cannot be read (${error.code}): name the folder of TRAIL_DIR with --trail`,
    );
  });
}

/** A request is in the segment of the day on which it ended, which may be the day after it was received. */
export function isAsked(
  day: string,
  { from, to }: { readonly [Edge in keyof AskedTime]: string | undefined },
): boolean {
  if (from !== undefined && day < from.slice(0, 10)) return false;
  return to === undefined || day <= new Date(Date.parse(to) - 1 + 86_400_000).toISOString().slice(0, 10);
}

/** A segment in two folders is a copy, or was closed between their listings. */
function withoutCopies(segments: readonly SegmentFile[]): SegmentFile[] {
  const kept = new Map<string, SegmentFile>();
  for (const segment of segments) if (kept.get(segment.segment)?.state !== 'closed') kept.set(segment.segment, segment);
  return [...kept.values()];
}

/** The segments that have a root, by their folder; one that was given twice counts once. */
export function rootedDays(
  segments: readonly SegmentFile[],
  rootOf: (segment: SegmentFile) => SegmentRoot | undefined,
): readonly RootedDay[] {
  const days = new Map<string, { day: string; segments: SegmentFile[]; roots: SegmentRoot[] }>();
  for (const segment of new Map(segments.map((each) => [each.path, each])).values()) {
    const root = rootOf(segment);
    if (root === undefined) continue;
    const folder = dirname(segment.path);
    const files = days.get(folder) ?? { day: segment.day, segments: [], roots: [] };
    days.set(folder, files);
    files.segments.push(segment);
    files.roots.push(root);
  }
  return [...days.values()];
}

function isGone(error: unknown): boolean {
  return error instanceof Error && /No files found|No such file|Cannot open file/.test(error.message);
}
