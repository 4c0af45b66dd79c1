import { RefusedFile } from '../../src/trail/regular-file.js';
import { openingFault } from '../../src/trail/opening.js';
import { canonicalJson, recordHash, type ChainRecord, type SegmentRoot } from '../../src/trail/root-record.js';
import type { SegmentFile } from '../../src/trail/segment-files.js';
import { dayOf, fileOf, parseSegmentFile } from '../../src/trail/segment-names.js';
import { chainFaults, type TrailFault } from './chain.js';
import { isIndexRight, indexPath, type RootedDay } from './day-index.js';
import type { PublicKeys } from './public-keys.js';
import { recordFiles } from './record-files.js';
import type { RootRecords } from './root-records.js';
import { listSegments, rootedDays } from './searched-trail.js';
import { factsOf, segmentFault, type SegmentFacts } from './segment-check.js';
import { withDuckDb } from './trail-database.js';

export interface Verdict {
  readonly faults: readonly TrailFault[];
  readonly source: RootRecords['source'];
  /** The first day that was compared; absent where all were. */
  readonly from?: string;
  readonly records: number;
  /** To be noted outside: with it, a chain that was forged as a whole is found. */
  readonly last?: { readonly sequence: number; readonly hash: string };
  readonly instances: readonly string[];
  /** Under a root. */
  readonly events: number;
  /** Segments that no record covers yet: of processes that still write them, or while the database was unreachable. */
  readonly notYet: readonly {
    readonly segment: string;
    readonly events: number;
    readonly state: SegmentFile['state'];
  }[];
  /** Roots that were made more than a day after the segment was due to close. */
  readonly late: readonly Pick<SegmentRoot, 'segment' | 'signedAt' | 'closed'>[];
  readonly droppedDays: readonly string[];
  /** Deleted days of which a folder still has segments: the retention did not run on that machine yet, or was cut off. */
  readonly stillHere: readonly string[];
  /** The losses that an operator has recorded. */
  readonly losses: readonly {
    readonly at: string;
    readonly reason: string;
    readonly segments: number;
    readonly events: number;
  }[];
  /** Events that could not be written, as the trail itself says. */
  readonly lost: number;
}

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/**
 * Compares the segments in the folders, and their indexes, with the chain of roots.
 * @param from the first day; the chain is then compared from the first root of such a day
 */
export async function verify(
  folders: readonly string[],
  roots: RootRecords,
  keys: PublicKeys,
  from = '',
): Promise<Verdict> {
  const { records, before } = chainFrom(roots.records, from);
  const dropped = droppedDays(records);
  const listed = await Promise.all(folders.map((folder) => listSegments(folder, from)));
  const found = listed.flatMap(({ segments }) => segments);
  const segments = found.filter(({ day }) => !dropped.has(day));
  // The days of a machine that was unreachable at the drop got some of their roots after it.
  const covered = new Map(
    records.flatMap((record) =>
      'segment' in record && record.day >= from && !dropped.has(record.day) ? [[record.segment, record] as const] : [],
    ),
  );
  const { faults, intact, ...counts } = await checkSegments(segments, covered, keys);
  return {
    faults: [
      ...(await fileFaults(folders, roots, from)),
      ...chainFaults(records, keys, before),
      ...listed.flatMap(({ refused }) => refused.map(({ path, why }) => foreign(path, why))),
      ...missingSegments(records, from, segments),
      ...faults,
      ...(await indexFaults(rootedDays(intact, (segment) => covered.get(segment.segment)))),
    ],
    source: roots.source,
    ...(from !== '' && { from }),
    records: records.length,
    ...lastOf(roots.records),
    instances: [...new Set(segments.map(({ instance }) => instance))].sort(),
    ...counts,
    late: [...covered.values()].filter(isLate).map(({ segment, signedAt, closed }) => ({ segment, signedAt, closed })),
    droppedDays: [...dropped].sort(),
    losses: lossesIn(roots.records, from),
    stillHere: [...new Set(found.flatMap(({ day }) => (dropped.has(day) ? [day] : [])))].sort(),
  };
}

/** The part of the chain that begins with the first root of such a day, and the record before it. */
function chainFrom(
  records: readonly ChainRecord[],
  from: string,
): { records: readonly ChainRecord[]; before: ChainRecord | undefined } {
  if (from === '') return { records, before: undefined };
  const start = records.findIndex((record) => 'segment' in record && record.day >= from);
  return { records: start < 0 ? [] : records.slice(start), before: records[start - 1] };
}

function lastOf(records: readonly ChainRecord[]): Pick<Verdict, 'last'> {
  const last = records.at(-1);
  return last === undefined ? {} : { last: { sequence: last.sequence, hash: recordHash(last) } };
}

/** A segment closes an hour after it was opened, and gets its root at once. */
function isLate({ segment, signedAt }: SegmentRoot): boolean {
  const openedMs = parseSegmentFile(fileOf(segment, 'closed'))?.startedAt.getTime() ?? 0;
  return Date.parse(signedAt) - openedMs > hourMs + dayMs;
}

async function checkSegments(
  segments: readonly SegmentFile[],
  covered: ReadonlyMap<string, SegmentRoot>,
  keys: PublicKeys,
) {
  const faults: TrailFault[] = [];
  const notYet: Verdict['notYet'][number][] = [];
  const intact: SegmentFile[] = [];
  let [events, lost] = [0, 0];
  // One after the other: each keeps a processor busy.
  for (const file of segments) {
    const { segment, state } = file;
    const facts = await factsOf(file).catch((error: unknown) => {
      if (!(error instanceof RefusedFile)) throw error;
      faults.push(foreign(file.path, error.message));
    });
    if (facts === undefined) continue;
    lost += facts.lost;
    const record = covered.get(segment);
    if (record === undefined) {
      const fault = unrootedFault(file, facts, keys);
      if (fault !== undefined) faults.push(fault);
      if (fault?.kind !== 'foreign') notYet.push({ segment, events: facts.events, state });
      continue;
    }
    events += facts.events;
    const fault = segmentFault(record, facts);
    if (fault !== undefined) faults.push(fault);
    else if (state === 'closed') intact.push(file);
  }
  return { faults, intact, notYet, events, lost };
}

/** No gateway puts a segment under a root that none has begun. */
function unrootedFault(
  { path, segment }: SegmentFile,
  { events, first, gap }: SegmentFacts,
  keys: PublicKeys,
): TrailFault | undefined {
  const why = events === 0 ? undefined : openingFault(segment, first, keys);
  if (why !== undefined) return foreign(path, why);
  return gap === undefined ? undefined : { kind: 'changed', message: `${segment}: ${gap}` };
}

function foreign(path: string, why: string): TrailFault {
  return { kind: 'foreign', message: `${path}: ${why}` };
}

function droppedDays(records: readonly ChainRecord[]): ReadonlySet<string> {
  return new Set(records.flatMap((record) => ('dropped' in record ? [record.dropped] : [])));
}

/** The roots whose segments are neither here, nor dropped, nor recorded as lost. */
export function missingRoots(
  records: readonly ChainRecord[],
  segments: readonly SegmentFile[],
): readonly (SegmentRoot & ChainRecord)[] {
  const dropped = droppedDays(records);
  const explained = new Set([
    ...segments.map(({ segment }) => segment),
    ...records.flatMap((record) => ('lost' in record ? record.lost : [])),
  ]);
  const missing = records.flatMap((record) =>
    'segment' in record && !dropped.has(record.day) && !explained.has(record.segment) ? [record] : [],
  );
  return [...new Map(missing.map((record) => [record.segment, record])).values()];
}

function missingSegments(
  records: readonly ChainRecord[],
  from: string,
  segments: readonly SegmentFile[],
): TrailFault[] {
  const instances = new Set(segments.map(({ instance }) => instance));
  return missingRoots(records, segments).flatMap(({ segment, day, instance }) => {
    if (day < from) return [];
    const hint = instances.has(instance)
      ? ''
      : '; no folder has a segment of its instance: give the folder of that machine with --trail';
    return { kind: 'missing', message: `${segment}: the segment is missing${hint}` };
  });
}

/** Those with a segment of the day or a later one. */
function lossesIn(records: readonly ChainRecord[], from: string): Verdict['losses'] {
  const roots = new Map(records.flatMap((record) => ('segment' in record ? [[record.segment, record] as const] : [])));
  return records.flatMap((record) => {
    if (!('lost' in record)) return [];
    const { at, reason } = record;
    const lost = record.lost.filter((segment) => dayOf(segment) >= from);
    const events = lost.reduce((sum, segment) => sum + (roots.get(segment)?.events ?? 0), 0);
    return lost.length === 0 ? [] : [{ at, reason, segments: lost.length, events }];
  });
}

/** The files repeat the records of the database. Later ones than its last were written after it was read. */
async function fileFaults(folders: readonly string[], roots: RootRecords, from: string): Promise<TrailFault[]> {
  const files = roots.source === 'files' ? roots : await recordFiles(folders, from);
  const inDatabase = new Map(roots.records.map((record) => [record.sequence, canonicalJson(record)]));
  const last = roots.records.at(-1)?.sequence ?? 0;
  const differing = roots.source === 'files' ? [] : files.records;
  return [
    ...files.unreadable.map((path): TrailFault => ({ kind: 'unreadable', message: `${path} is not a root record` })),
    ...differing.flatMap((record): TrailFault[] => {
      if (record.sequence > last || inDatabase.get(record.sequence) === canonicalJson(record)) return [];
      const name = 'segment' in record ? record.segment : 'dropped' in record ? record.dropped : 'a loss';
      return [
        {
          kind: 'forked',
          message: `${name}: the record in its file is not the record ${record.sequence} of the database`,
        },
      ];
    }),
  ];
}

/** An index is a copy by which questions are answered. */
async function indexFaults(days: readonly RootedDay[]): Promise<TrailFault[]> {
  return withDuckDb(async (connection) => {
    const faults: TrailFault[] = [];
    for (const day of days)
      if (!(await isIndexRight(connection, day)))
        faults.push({
          kind: 'index',
          message: `${indexPath(day)} does not match its segments: delete it, and the next search makes it again`,
        });
    return faults;
  });
}
