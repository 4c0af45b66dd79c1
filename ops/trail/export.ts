import { createWriteStream } from 'node:fs';
import { chmod, open, rm, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailed, UsageError } from '../../src/command-line/command.js';
import { csvLine, type Cell } from '../csv.js';
import { timeConditions } from './duckdb-search.js';
import { eventColumns, linesOf } from './event-columns.js';
import type { AskedTime, SearchedTrail } from './searched-trail.js';
import { literal } from './trail-database.js';

type Write = (trail: SearchedTrail, condition: string, file: string) => Promise<void>;

const order = 'ORDER BY "at", "instance", "seq"';
const members = (condition: string) => `SELECT ${eventColumns} FROM events WHERE ${condition} ${order}`;

const forms: Readonly<Record<string, Write>> = {
  '.ndjson': async ({ connection, segments }, condition, file) => {
    const lines = linesOf(segments.map(({ path }) => path));
    const result = await connection.stream(`SELECT line FROM (${lines}) WHERE ${condition} ${order}`);
    await written(file, result.yieldRowsJson(), ([line]) => `${String(line)}\n`);
  },
  // DuckDB would write a text that a spreadsheet carries out, such as the client id `=1+1`.
  '.csv': async ({ connection }, condition, file) => {
    const result = await connection.stream(members(condition));
    await writeFile(file, csvLine(result.columnNames()));
    await written(file, result.yieldRowsJson(), (row) => csvLine(row as readonly Cell[]));
  },
  '.parquet': async ({ connection }, condition, file) => {
    await connection.run(`COPY (${members(condition)}) TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd)`);
    await chmod(file, 0o600);
  },
};

/**
 * Writes the events of a time into a new file: `.ndjson` has the lines as they are in the segments, `.csv` and `.parquet`
 * have the members by which the tools search.
 * @returns the number of events
 */
export async function exportEvents(trail: SearchedTrail, time: AskedTime, file: string): Promise<number> {
  const write = forms[extname(file)];
  if (write === undefined)
    throw new UsageError('--out ends with .ndjson, .csv or .parquet, which is the form of the file');
  await makeFile(file);
  const condition = ['true', ...timeConditions(time)].join(' AND ');
  try {
    await write(trail, condition, file);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  const counted = await trail.connection.runAndReadAll(`SELECT count(*)::INTEGER FROM events WHERE ${condition}`);
  return Number(counted.getRows()[0]?.[0]);
}

/** Fails where there is a file already, because it may be evidence. */
async function makeFile(file: string): Promise<void> {
  const made = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${file} cannot be made (${error.code}): name a new file in a folder that exists`);
  });
  await made.close();
}

type Rows = readonly (readonly unknown[])[];

async function written(file: string, chunks: AsyncIterable<Rows>, lineOf: (row: readonly unknown[]) => string) {
  const texts = (async function* () {
    for await (const rows of chunks) yield rows.map(lineOf).join('');
  })();
  await pipeline(Readable.from(texts), createWriteStream(file, { flags: 'a' }));
}
