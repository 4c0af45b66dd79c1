import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailed } from '../../src/command-line/command.js';
import { readRegular, RefusedFile } from '../../src/trail/regular-file.js';
import type { ChainRecord, SegmentRoot } from '../../src/trail/root-record.js';
import { goneMeanwhile, type SegmentFile } from '../../src/trail/segment-files.js';
import { fileOf, isDay, isRecordsFile, parseSegmentFile } from '../../src/trail/segment-names.js';

export interface RecordFiles {
  /** By their sequence. */
  readonly records: readonly ChainRecord[];
  /** The files that are not records, or those of another segment. */
  readonly unreadable: readonly string[];
}

interface RecordFile {
  readonly path: string;
  /** The segment next to the file; absent for a file of a deleted day or of a loss. */
  readonly segment?: string;
}

/**
 * The records in the files next to the segments, and in those of deleted days and of losses.
 * @param from the first day whose segments' records are read
 */
export async function recordFiles(folders: readonly string[], from = ''): Promise<RecordFiles> {
  const files = (await Promise.all(folders.map((folder) => filesIn(folder, from)))).flat();
  const read = (await Promise.all(files.map(recordsIn))).flat();
  return {
    records: read.flatMap(({ record }) => record ?? []).sort((one, other) => one.sequence - other.sequence),
    unreadable: read.flatMap(({ path, record }) => (record === undefined ? [path] : [])),
  };
}

/** The record in the file next to the segment; `undefined` where it cannot be read. */
export async function recordNextTo({ path, segment }: SegmentFile): Promise<SegmentRoot | undefined> {
  const file = { path: path.replace(/[.]ndjson$/, '.root.json'), segment };
  const [{ record } = { record: undefined }] = await recordsIn(file).catch(() => []);
  return record !== undefined && 'segment' in record ? record : undefined;
}

async function filesIn(folder: string, from: string): Promise<RecordFile[]> {
  const names = await readdir(folder);
  const days = names.filter((name) => isDay(name) && name >= from).map((day) => join(folder, day));
  const files = await Promise.all(
    days.map(async (day) =>
      ((await readdir(day).catch(goneMeanwhile)) ?? []).flatMap((file) => {
        const { state, segment = '' } = parseSegmentFile(file) ?? {};
        return state === 'root' ? [{ path: join(day, fileOf(segment, 'root')), segment }] : [];
      }),
    ),
  );
  return [...files.flat(), ...names.filter(isRecordsFile).map((file) => ({ path: join(folder, file) }))];
}

/** Each line is a record. */
async function recordsIn({ path, segment }: RecordFile): Promise<{ path: string; record: ChainRecord | undefined }[]> {
  try {
    const lines = (await readRegular(path)).trimEnd().split('\n');
    return lines.map((line) => ({ path, record: recordOf(line, segment) }));
  } catch (error) {
    if (error instanceof RefusedFile) return [{ path, record: undefined }];
    throw new CommandFailed(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function recordOf(line: string, segment: string | undefined): ChainRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    if (!isRecord(record)) return undefined;
    return segment === undefined || ('segment' in record && record.segment === segment) ? record : undefined;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is ChainRecord {
  const record = (value ?? {}) as Readonly<Record<string, unknown>>;
  const own = Array.isArray(record['segments'])
    ? ['dropped']
    : Array.isArray(record['lost'])
      ? ['reason']
      : ['segment', 'root'];
  const texts = ['previous', 'keyId', 'signature', ...own];
  return typeof record['sequence'] === 'number' && texts.every((name) => typeof record[name] === 'string');
}
