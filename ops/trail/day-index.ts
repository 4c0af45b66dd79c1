import { createHash, randomUUID } from 'node:crypto';
import { access, chmod, constants, lstat, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { SegmentRoot } from '../../src/trail/root-record.js';
import type { SegmentFile } from '../../src/trail/segment-files.js';
import { count } from '../../src/trail/words.js';
import { eventColumns, eventsOf } from './event-columns.js';
import { literal } from './trail-database.js';

/** The segments of one day in one folder that have a root. */
export interface RootedDay {
  readonly day: string;
  readonly segments: readonly SegmentFile[];
  readonly roots: readonly SegmentRoot[];
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
 * name has a digest of their roots: an index of other segments has another name. An index with another number of events than
 * the roots have is made again. It is written under a third name and renamed, so that no reader sees half of it.
 * @returns `undefined` where the folder cannot be written: the segments are then read themselves
 */
export async function indexOf(
  connection: DuckDBConnection,
  rooted: RootedDay,
  note: (line: string) => void,
): Promise<MadeIndex | undefined> {
  const { day, segments, roots } = rooted;
  const path = indexPath(rooted);
  const folder = dirname(path);
  const present = (await readdir(folder)).filter((file) => indexName.test(file)).map((file) => join(folder, file));
  if (present.includes(path)) {
    if ((await rowsOf(connection, path)) === roots.reduce((sum, { events }) => sum + events, 0))
      return { path, made: false };
    note(`${path} does not match its segments: \`trail verify\` says whether the segments were changed`);
  }
  if (!(await isWritable(folder))) {
    note(`${folder} cannot be written: the search reads its segments without an index, which takes longer`);
    return undefined;
  }
  note(`indexing ${day}: ${count(segments.length, 'segment')}`);
  const written = join(folder, `index.${randomUUID()}.tmp`);
  try {
    const rows = eventsOf(segments.map((segment) => segment.path));
    await connection.run(`COPY (${rows}) TO ${literal(written)} (${form})`);
    await chmod(written, 0o600);
    await rename(written, path);
  } finally {
    await rm(written, { force: true });
  }
  await Promise.all(present.filter((former) => former !== path).map((former) => rm(former, { force: true })));
  return { path, made: true };
}

export function indexPath({ segments, roots }: RootedDay): string {
  const facts = roots.map(({ segment, root }) => `${segment} ${root}`).sort();
  const digest = createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 16);
  return join(dirname(segments[0]?.path ?? ''), `index.${digest}.parquet`);
}

/** Whether the index of the day, where there is one, has exactly the events of its segments. */
export async function isIndexRight(connection: DuckDBConnection, rooted: RootedDay): Promise<boolean> {
  const path = indexPath(rooted);
  if ((await lstat(path).catch(() => undefined)) === undefined) return true;
  const events = eventsOf(rooted.segments.map((segment) => segment.path));
  const indexed = `SELECT ${eventColumns} FROM read_parquet(${literal(path)})`;
  const rows = await rowsOf(connection, path);
  if (rows === undefined) return false;
  const sql = `SELECT (SELECT count(*) FROM (${events})) = ${rows}
    AND NOT EXISTS (FROM (SELECT ${eventColumns} FROM (${events})) EXCEPT ALL ${indexed})`;
  return (await connection.runAndReadAll(sql)).getRows()[0]?.[0] === true;
}

/** `undefined` where DuckDB cannot have written the file. */
async function rowsOf(connection: DuckDBConnection, path: string): Promise<number | undefined> {
  if (!(await lstat(path)).isFile()) return undefined;
  const sql = `SELECT num_rows::INTEGER FROM parquet_file_metadata(${literal(path)})`;
  const read = await connection.runAndReadAll(sql).catch(() => undefined);
  return read && Number(read.getRows()[0]?.[0]);
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}
