import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileOf, isDay, parseSegmentFile, type SegmentName } from './segment-names.js';

/** A segment in a trail's folder. */
export interface SegmentFile extends Pick<SegmentName, 'segment' | 'startedAt' | 'instance'> {
  /** The day's folder. */
  readonly day: string;
  readonly state: 'open' | 'closed';
  readonly path: string;
  /** The path that it has once it is closed. */
  readonly closedPath: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

/**
 * The segments of a trail's folder, by the time at which they were opened.
 * @throws NodeJS.ErrnoException where the folder cannot be read
 */
export async function segmentFiles(folder: string): Promise<SegmentFile[]> {
  const days = (await readdir(folder)).filter(isDay);
  const found = await Promise.all(days.map((day) => segmentsOfDay(join(folder, day), day)));
  return found.flat().sort((one, other) => (one.segment < other.segment ? -1 : 1));
}

/** None where the day was dropped. @throws NodeJS.ErrnoException where its folder cannot be read */
export async function segmentsOfDay(folder: string, day: string): Promise<SegmentFile[]> {
  const names = ((await readdir(folder).catch(goneMeanwhile)) ?? []).flatMap((file) => parseSegmentFile(file) ?? []);
  const files = await Promise.all(
    names.map(async ({ segment, startedAt, instance, state }): Promise<SegmentFile | undefined> => {
      if (state === 'root') return undefined;
      const path = join(folder, fileOf(segment, state));
      const facts = await stat(path).catch(goneMeanwhile);
      if (facts === undefined) return undefined;
      const closedPath = join(folder, fileOf(segment, 'closed'));
      const { size: bytes, mtimeMs: modifiedAtMs } = facts;
      return { segment, startedAt, instance, day, state, path, closedPath, bytes, modifiedAtMs };
    }),
  );
  return files.flatMap((file) => file ?? []);
}

/** Its process closed it and gave it another name, or its day was dropped. */
export function goneMeanwhile(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
