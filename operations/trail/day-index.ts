import { createHash } from 'node:crypto';
import { access, chmod, constants, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { SegmentFile } from '../../src/trail/segment-files.js';
import { count } from '../../src/trail/words.js';
import { eventsOf } from './event-columns.js';
import { literal } from './trail-database.js';

/** The closed segments of one day in one folder. */
export interface ClosedDay {
  readonly day: string;
  readonly segments: readonly SegmentFile[];
}

export interface MadeIndex {
  readonly path: string;
  readonly made: boolean;
}

const indexName = /^index[.][0-9a-f]{16}[.]parquet$/;

/**
 * DuckDB writes a Bloom filter only for a column that it writes with a dictionary. This limit, a little above the rows of a
 * group, lets it do so for ids, which are all different: a search then passes over the groups that lack the id.
 */
const form = 'FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480, DICTIONARY_SIZE_LIMIT 25000';

/**
 * The Parquet file with the events of a day, next to their segments, so that it goes with them when the day is dropped. Its
 * name has a digest of their names, sizes and times: an index of other segments has another name. It is written under a
 * third name and renamed, so that no reader sees half of it.
 * @returns `undefined` where the folder cannot be written: the segments are then read themselves
 */
export async function indexOf(
  connection: DuckDBConnection,
  { day, segments }: ClosedDay,
  tell: (line: string) => void,
): Promise<MadeIndex | undefined> {
  const folder = dirname(segments[0]?.path ?? '');
  const name = `index.${digestOf(segments)}.parquet`;
  const path = join(folder, name);
  const present = (await readdir(folder)).filter((file) => indexName.test(file));
  if (present.includes(name)) return { path, made: false };
  if (!(await isWritable(folder))) {
    tell(`${folder} cannot be written: its segments are read without an index, which takes longer`);
    return undefined;
  }
  tell(`indexing ${day}: ${count(segments.length, 'segment')}`);
  const written = join(folder, `index.${process.pid}.tmp`);
  try {
    const rows = eventsOf(segments.map((segment) => segment.path));
    await connection.run(`COPY (${rows}) TO ${literal(written)} (${form})`);
    await chmod(written, 0o600);
    await rename(written, path);
  } finally {
    await rm(written, { force: true });
  }
  await Promise.all(present.map((former) => rm(join(folder, former), { force: true })));
  return { path, made: true };
}

function digestOf(segments: readonly SegmentFile[]): string {
  const facts = segments.map(({ segment, bytes, modifiedAtMs }) => `${segment} ${bytes} ${modifiedAtMs}`);
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 16);
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}
