import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenEvent } from '../../src/trail/event.js';
import type { ChainRecord } from '../../src/trail/root-record.js';
import { parseSegmentFile, type SegmentName } from '../../src/trail/segment-names.js';

/** A file of a trail's folder. */
export interface TrailFile extends SegmentName {
  readonly path: string;
}

export async function trailFiles(directory: string): Promise<readonly TrailFile[]> {
  const names = await readdir(directory, { recursive: true });
  return names.sort().flatMap((name) => {
    const parsed = parseSegmentFile(name.slice(name.lastIndexOf('/') + 1));
    return parsed === undefined ? [] : [{ ...parsed, path: join(directory, name) }];
  });
}

export async function linesOfFile(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\n').slice(0, -1);
}

/** All that is in the folder of a gateway that has stopped. */
export async function trailText(directory: string): Promise<string> {
  // A test may remove the folder.
  if (!existsSync(directory)) return '';
  return (await Promise.all((await trailFiles(directory)).map(({ path }) => readFile(path, 'utf8')))).join('');
}

/** Every event of the folder, in the order of the files. */
export async function trailEvents(directory: string): Promise<WrittenEvent[]> {
  const files = (await trailFiles(directory)).filter(({ state }) => state !== 'root');
  try {
    const lines = await Promise.all(files.map(({ path }) => linesOfFile(path)));
    return lines.flat().map((line) => JSON.parse(line) as WrittenEvent);
  } catch (error) {
    // A segment was closed, and so renamed, since the folder was listed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return trailEvents(directory);
    throw error;
  }
}

/** The events of one kind. */
export async function eventsOf<Kind extends WrittenEvent['kind']>(
  directory: string,
  kind: Kind,
): Promise<Extract<WrittenEvent, { kind: Kind }>[]> {
  const all = await trailEvents(directory);
  return all.filter((event): event is Extract<WrittenEvent, { kind: Kind }> => event.kind === kind);
}

export async function rootRecords(directory: string): Promise<ChainRecord[]> {
  const files = (await trailFiles(directory)).filter(({ state }) => state === 'root');
  const records = await Promise.all(
    files.map(async ({ path }) => JSON.parse(await readFile(path, 'utf8')) as ChainRecord),
  );
  return records.sort((one, other) => one.sequence - other.sequence);
}
