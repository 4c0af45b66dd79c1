// `npm run bench`: the cost of the gateway. Read the ratios: the servers take turns within each round, so that other work
// on the machine slows all of them alike.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bench, type BenchRun, loadAverage } from './bench.js';
import { fairness } from './fairness.bench.js';
import { funds } from './funds.bench.js';
import { type Goal, goalsTable } from './goals.js';
import { connections } from './load.js';
import { findPostgres, type Postgres } from './postgres.js';
import { questions } from './questions.bench.js';
import { reads } from './reads.bench.js';
import { size } from './size.bench.js';
import { trail } from './trail.bench.js';
import { ukDay } from './uk-day.bench.js';
import { versions } from './versions.bench.js';

const benches: Readonly<Record<string, Bench>> = {
  reads,
  funds,
  versions,
  fairness,
  size,
  'uk-day': ukDay,
  questions,
  trail,
};
const usage = `usage: npm run bench [-- --only ${Object.keys(benches).join('|')}] [-- --quick] [-- --assert]
  --only    one part instead of all of them
  --quick   each part shorter: enough to see that it works, not to judge by
  --assert  exit code 1 when a goal is not reached`;
const longestRunMs = 60 * 60_000;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      assert: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  const chosen = Object.entries(benches).filter(([name]) => values.only === undefined || name === values.only);
  if (values.help || chosen.length === 0) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  console.log(
    `Node ${process.version}, ${cpus().length} processors (${cpus()[0]?.model}), load average ${loadAverage()}; ` +
      `${connections} connections.\n` +
      'Every server: in its own process, NODE_ENV=production, output to a file. The gateway: every check on, cached ' +
      'tokens and consents, the log of production. Each connection asks for something else, so ' +
      'that no answer is shared.',
  );
  const postgres = await findPostgres();
  if (postgres === undefined) console.log('No PostgreSQL: DATABASE_URL is not set and none is installed. PGlite only.');
  const interrupted = interruption();
  const goals: Goal[] = [];
  try {
    for (const [name, bench] of chosen) {
      console.log(`\n== ${name}`);
      goals.push(...(await run(bench, values, postgres, interrupted)));
    }
  } finally {
    await postgres?.stop();
  }
  if (goals.length > 0) console.log(goalsTable(goals));
  return values.assert && goals.some(({ reached }) => !reached) ? 1 : 0;
}

async function run(
  bench: Bench,
  { quick }: Pick<BenchRun, 'quick'>,
  postgres: Postgres | undefined,
  interrupted: Promise<never>,
): Promise<Goal[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    return await Promise.race([bench({ quick, folder, postgres, undo }), interrupted]);
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

/** Rejects when the bench takes too long or receives a signal to end. */
function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`not done within ${longestRunMs / 60_000} minutes`)), longestRunMs).unref();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Error(signal)));
  });
  // Between two parts no code awaits it; the next part fails with it.
  interrupted.catch(() => undefined);
  return interrupted;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exit(1);
  },
);
