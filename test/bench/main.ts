// `npm run bench`: the cost of the gateway, on Linux and PostgreSQL. Read the ratios: the servers take turns within each
// round, so that other work on the machine slows all of them alike.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { fairness } from './fairness.bench.js';
import { type Goal, table } from './figures.js';
import { funds } from './funds.bench.js';
import { questions } from './questions.bench.js';
import { reads } from './reads.bench.js';
import { type Bench, Setting } from './setting.js';
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

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    assert: { type: 'boolean', default: false },
  },
});
const chosen = Object.entries(benches).filter(([name]) => values.only === undefined || name === values.only);
if (chosen.length === 0) {
  console.error(usage);
  process.exit(2);
}
const load = (): string => `load average ${loadavg()[0]?.toFixed(2)}`;
console.log(`Node ${process.version}, ${cpus().length} processors (${cpus()[0]?.model}), ${load()}`);
const interrupted = new Promise<never>((_resolve, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Error(signal)));
});
const goals: Goal[] = [];
for (const [name, bench] of chosen) {
  console.log(`\n== ${name}`);
  await using setting = await Setting.start();
  goals.push(...(await Promise.race([bench(setting, values.quick), interrupted])));
  console.log(`\nAfterwards ${load()}.`);
}
const lines = goals.map(({ reached, ...goal }) => [...Object.values(goal), reached ? 'reached' : 'NOT REACHED']);
console.log(table('Goals: ratios are medians of the rounds (and their range)', ['', 'wanted', 'measured', ''], lines));
process.exit(values.assert && goals.some(({ reached }) => !reached) ? 1 : 0);
