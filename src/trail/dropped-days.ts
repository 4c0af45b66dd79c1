import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock/clock.js';
import { writeRecords } from './record-file.js';
import { linkAfter, signRecord, type TrailKey } from './root-record.js';
import { segmentsOfDay } from './segment-files.js';
import { droppedFile, isDay } from './segment-names.js';
import type { TrailRootsStore } from './trail-roots.store.js';

const dayMs = 86_400_000;

export interface DroppedDaysParts {
  /** The trail of this machine. */
  readonly directory: string;
  readonly key: TrailKey;
  readonly chain: Pick<TrailRootsStore, 'append' | 'daysBefore' | 'recordsOfDay'>;
  readonly clock: Clock;
}

export interface Drops {
  /** The days that got their record now. */
  readonly recorded: readonly string[];
  /** The days whose files were removed from this machine's folder now. */
  readonly removed: readonly string[];
  /** The days that stay, because a segment in this machine's folder has no root yet. */
  readonly waiting: readonly string[];
}

/**
 * Drops the days of a trail of which every event is older than the term, in days. A day is dropped for all machines by one record of the
 * chain, which the first of them adds; each machine then removes its own files. The record comes first, so that a run that
 * was cut off leaves files that the next run removes, and never a day that is missing without a record.
 * @throws NodeJS.ErrnoException where the folder cannot be read or written
 */
export async function dropDays(days: number, { directory, key, chain, clock }: DroppedDaysParts): Promise<Drops> {
  const nowMs = clock.nowMs();
  const first = new Date(nowMs - days * dayMs).toISOString().slice(0, 10);
  const here = new Set((await readdir(directory)).filter((name) => isDay(name) && name < first));
  const inChain = await chain.daysBefore(first);
  const over = [...new Set([...here, ...inChain.unrecorded])].sort();
  const drops = { recorded: [] as string[], removed: [] as string[], waiting: [] as string[] };
  for (const day of over) {
    const folder = join(directory, day);
    const roots = await chain.recordsOfDay(day);
    const segments = roots.flatMap((record) => ('segment' in record ? [record.segment] : []));
    const { segments: found } = here.has(day) ? await segmentsOfDay(folder, day) : { segments: [] };
    if (found.some(({ segment }) => !segments.includes(segment))) {
      drops.waiting.push(day);
      continue;
    }
    if (segments.length > 0) {
      const content = { v: 1, dropped: day, segments, at: new Date(nowMs).toISOString() } as const;
      const record = await chain.append(`dropped.${day}`, (before) => signRecord(content, linkAfter(before), key));
      if (!inChain.recorded.includes(day)) drops.recorded.push(day);
      await writeRecords(directory, droppedFile(day), [...roots, record]);
    }
    if (!here.has(day)) continue;
    // A gateway that finds a segment without its root record would write that record again.
    for (const { path } of found) await rm(path, { force: true });
    await rm(folder, { recursive: true, force: true });
    drops.removed.push(day);
  }
  return drops;
}
