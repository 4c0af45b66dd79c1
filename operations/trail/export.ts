import { createWriteStream } from 'node:fs';
import { chmod, open, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailed, UsageError } from '../../src/commands/command.js';
import { timeConditions } from './duckdb-search.js';
import { eventColumns, linesOf } from './event-columns.js';
import type { AskedTime, SearchedTrail } from './searched-trail.js';
import { literal } from './trail-database.js';

const copies: Readonly<Record<string, string>> = {
  '.csv': '(FORMAT csv, HEADER)',
  '.parquet': '(FORMAT parquet, COMPRESSION zstd)',
};

/**
 * Writes the events of a time into a new file: `.ndjson` has the lines as they are in the segments, `.csv` and `.parquet`
 * have the members by which the tools search.
 * @returns the number of events
 */
export async function exportEvents(trail: SearchedTrail, time: AskedTime, file: string): Promise<number> {
  const copy = copies[extname(file)];
  if (copy === undefined && extname(file) !== '.ndjson')
    throw new UsageError('--out ends with .ndjson, .csv or .parquet, which is the form of the file');
  await makeFile(file);
  const condition = ['true', ...timeConditions(time)].join(' AND ');
  const order = 'ORDER BY "at", "instance", "seq"';
  try {
    if (copy === undefined) {
      const lines = linesOf(trail.segments.map(({ path }) => path));
      const result = await trail.connection.stream(`SELECT line FROM (${lines}) WHERE ${condition} ${order}`);
      await pipeline(Readable.from(textsOf(result.yieldRows())), createWriteStream(file));
    } else {
      await trail.connection.run(
        `COPY (SELECT ${eventColumns} FROM events WHERE ${condition} ${order}) TO ${literal(file)} ${copy}`,
      );
      await chmod(file, 0o600);
    }
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

async function* textsOf(chunks: AsyncIterable<readonly (readonly unknown[])[]>): AsyncGenerator<string> {
  for await (const rows of chunks) yield rows.map(([line]) => `${String(line)}\n`).join('');
}
