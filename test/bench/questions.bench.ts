import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { searchOf } from '../../ops/trail/duckdb-search.js';
import { linesOf } from '../../ops/trail/event-columns.js';
import { withTrail } from '../../ops/trail/searched-trail.js';
import { literal, withDuckDb } from '../../ops/trail/trail-database.js';
import { segmentFiles } from '../../src/trail/segment-files.js';
import { why } from '../../src/trail/why.js';
import { type Bench, loadAverage } from './bench.js';
import { median, notHere, table } from './figures.js';
import { atMost } from './goals.js';
import { writeDay, writeOpenSegment } from './many-events.js';
import { trailBytes } from './trail-bytes.js';

const day = '2026-11-23';
const rounds = 5;
const command = fileURLToPath(new URL('../../operations/main.js', import.meta.url));

/** How the operators' tools find one interaction id in a day's trail: in the segments, and in the index. */
export const questions: Bench = async ({ quick, folder }) => {
  const events = quick ? 100_000 : 1_000_000;
  const id = await writeDay(folder, day, events);
  const paths = (await segmentFiles(folder)).segments.map(({ path }) => path);
  const plain = await timed(quick ? 1 : 3, () =>
    withDuckDb(async (connection) => {
      const sql = `SELECT line FROM (${linesOf(paths)}) WHERE "id" = ${literal(id)}`;
      if ((await connection.runAndReadAll(sql)).getRows().length !== 1) throw new Error('the segments lack the event');
    }),
  );
  const [making] = await timed(1, () => ask(folder, id));
  const asked: Cost[] = [];
  const whole = await timed(rounds, async () => asked.push(await ask(folder, id)));
  const commands = await timed(rounds, () => run(id, folder));
  const [ndjson, parquet] = [await trailBytes(folder, '.ndjson'), await trailBytes(folder, '.parquet')];
  const openId = await writeOpenSegment(folder, day);
  const withOpen = await timed(rounds, () => ask(folder, openId));
  console.log(
    table(
      `${events.toLocaleString('en')} events, of which one has the id; load average ${loadAverage()}`,
      ['', 'size', 'elapsed', 'processor time'],
      [
        ['segments', megabytes(ndjson), ...shown(plain)],
        ['index, made for the question', megabytes(parquet), ...shown(making === undefined ? [] : [making])],
        ['index: the question alone', megabytes(parquet), ...shown(asked)],
        ['index: opened, and the question', '', ...shown(whole)],
        ['index: the whole command', '', shown(commands)[0], notHere],
        ['index and a full open segment', '', ...shown(withOpen)],
      ],
    ),
  );
  console.log(`Peak of resident memory ${megabytes(process.resourceUsage().maxRSS * 1_024)}.`);
  return atMost('trail: one interaction id in the index', median(asked.map(({ elapsedMs }) => elapsedMs)), 25, 'ms');
};

/** @returns the cost of the question without that of opening the trail */
async function ask(folder: string, id: string): Promise<Cost> {
  return withTrail(
    [folder],
    { texts: [id] },
    () => undefined,
    async (trail) => {
      const [cost] = await timed(1, async () => {
        if ((await why(searchOf(trail), id)).explanations.length !== 1) throw new Error('the trail lacks the event');
      });
      return cost as Cost;
    },
  );
}

/** As `npm run ops -- trail` does, without npm. */
async function run(id: string, folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [command, 'trail', 'why', id, '--trail', folder]);
}

interface Cost {
  readonly elapsedMs: number;
  readonly processorMs: number;
}

async function timed(times: number, work: () => Promise<unknown>): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (let round = 0; round < times; round++) {
    const [beganMs, before] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(before);
    costs.push({ elapsedMs: performance.now() - beganMs, processorMs: (user + system) / 1_000 });
  }
  return costs;
}

function shown(costs: readonly Cost[]): [string, string] {
  const of = (member: keyof Cost) => `${median(costs.map((cost) => cost[member])).toFixed(0)} ms`;
  return [of('elapsedMs'), of('processorMs')];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
