import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { notRegular } from './regular-file.js';
import { dayOf, fileOf, isDay, parseSegmentFile, type SegmentName } from './segment-names.js';

/** A segment in a trail's folder. */
export interface SegmentFile extends Pick<SegmentName, 'segment' | 'startedAt' | 'instance'> {
  /** The day's folder. */
  readonly day: string;
  readonly state: 'open' | 'closed';
  readonly path: string;
  /** The path that it has once it is closed. */
  readonly closedPath: string;
  readonly bytes: number;
}

/** A file with the name of a segment that is read by no question. */
export interface RefusedEntry {
  readonly path: string;
  readonly why: string;
}

export interface ListedSegments {
  readonly segments: readonly SegmentFile[];
  readonly refused: readonly RefusedEntry[];
}

/**
 * The segments of a trail's folder, by the time at which they were opened.
 * @param from the first day
 * @throws NodeJS.ErrnoException where the folder cannot be read
 */
export async function segmentFiles(folder: string, from = ''): Promise<ListedSegments> {
  const days = (await readdir(folder)).filter((name) => isDay(name) && name >= from);
  const listed = await Promise.all(days.map((day) => segmentsOfDay(join(folder, day), day)));
  return {
    segments: listed.flatMap(({ segments }) => segments).sort((one, other) => (one.segment < other.segment ? -1 : 1)),
    refused: listed.flatMap(({ refused }) => refused),
  };
}

/** None where the day was dropped. @throws NodeJS.ErrnoException where its folder cannot be read */
export async function segmentsOfDay(folder: string, day: string): Promise<ListedSegments> {
  const names = ((await readdir(folder).catch(goneMeanwhile)) ?? []).flatMap((file) => parseSegmentFile(file) ?? []);
  const listed: { segments: SegmentFile[]; refused: RefusedEntry[] } = { segments: [], refused: [] };
  await Promise.all(
    names.map(async ({ segment, startedAt, instance, state }) => {
      if (state === 'root') return;
      const path = join(folder, fileOf(segment, state));
      const facts = await lstat(path).catch(goneMeanwhile);
      if (facts === undefined) return;
      const why = facts.isFile() ? misplacement(segment, day) : notRegular;
      const closedPath = join(folder, fileOf(segment, 'closed'));
      if (why !== undefined) listed.refused.push({ path, why });
      else listed.segments.push({ segment, startedAt, instance, day, state, path, closedPath, bytes: facts.size });
    }),
  );
  return listed;
}

/** Why the segment has no place in the folder of the day: a search and the retention go by the folder. */
export function misplacement(segment: string, day: string): string | undefined {
  const own = dayOf(segment);
  return own === day ? undefined : `a segment of ${own} is not in the folder of that day`;
}

/** Its process closed it and gave it another name, or its day was dropped. */
export function goneMeanwhile(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
