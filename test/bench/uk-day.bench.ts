import { cpus } from 'node:os';
import { join } from 'node:path';
import { loadAverage, type Bench } from './bench.js';
import { checkpoint, databaseSize, databaseSpent } from './database.js';
import { notHere, table } from './figures.js';
import { filledGateway } from './filled-gateway.js';
import { OpenDay, type Shares, type Step } from './open-day.js';
import { Setting } from './setting.js';
import { trailBytes } from './trail-bytes.js';

/** The mean of the whole British market in 2026: 24 billion calls a year. */
const market = 772;
/** Enough that the TPP never waits for one, as long as the answers come. */
const tppConnections = 256;
const hotConsents = 64;
const refreshes = 500;

/** The whole market's mean over one process, and then as much as the machine bears. */
export const ukDay: Bench = async (run) => {
  const { quick, folder, undo, postgres } = run;
  const [consents, usable, seconds, stepSeconds] = quick ? [100_000, 5_000, 5, 3] : [1_000_000, 40_000, 60, 15];
  const setting = await Setting.start(folder);
  undo.push(() => setting.stop());
  const filled = await filledGateway(run, setting, consents, usable, tppConnections);
  if (postgres === undefined || filled === undefined) {
    console.log('Left out: it needs PostgreSQL.');
    return [];
  }
  console.log(`${consents.toLocaleString('en')} consents: filled in ${filled.fillSeconds.toFixed(0)} s`);
  const size = await databaseSize(filled.databaseUrl);
  const day = new OpenDay(filled, setting, await databaseSpent(postgres.url, filled.databaseUrl));
  // Warms up.
  await day.cold(market / 4, stepSeconds);
  const { gatewayMs: refreshMs, hot } = await day.refreshes(refreshes);
  const hotStep = await day.hot(market, stepSeconds, hot.slice(0, hotConsents));
  const trail = join(filled.gateway.environment['DATA_DIR'] ?? '', 'trail');
  const trailBefore = await trailBytes(trail, '.ndjson');
  await checkpoint(postgres.url);
  const first = (await day.cold(market, seconds)) as Step;
  const trailGrowth = (await trailBytes(trail, '.ndjson')) - trailBefore;
  const steps = [first, ...(await asFarAsItGoes(day, first, stepSeconds))];
  print(hotStep, steps, refreshMs);
  const { connections } = await databaseSize(filled.databaseUrl);
  console.log(
    `PostgreSQL ${size.version}: ${size.bytes} bytes, of them ${size.indexBytes} of indexes; ${connections} connections. For each read ` +
      `${first.walBytes.toFixed(0)} bytes of write-ahead log and ${(trailGrowth / first.answered).toFixed(0)} bytes of trail.`,
  );
  return [];
};

/** A step holds while every read is answered and a hundredth, at most, takes longer than a second. */
function holds({ failed, p99Ms }: Step): boolean {
  return failed === 0 && p99Ms <= 1_000;
}

/** Rates a quarter higher each until one does not hold; or, where the first did not hold, a quarter lower until one does. */
async function asFarAsItGoes(day: OpenDay, first: Step, seconds: number): Promise<Step[]> {
  const steps: Step[] = [];
  const rising = holds(first);
  for (let wanted = first.wanted * (rising ? 1.25 : 0.75); wanted > 10; wanted *= rising ? 1.25 : 0.75) {
    const step = await day.cold(wanted, seconds);
    if (step === undefined) break;
    steps.push(step);
    if (holds(step) !== rising) break;
  }
  return steps;
}

function print(hot: Step, cold: readonly Step[], refreshMs: number | undefined): void {
  const figure = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? notHere;
  const row = (name: string, step: Step): string[] => [
    name,
    step.wanted.toFixed(0),
    step.reached.toFixed(0),
    step.p50Ms.toFixed(1),
    step.p99Ms.toFixed(1),
    String(step.failed),
    figure(step.gatewayMs, 3),
    figure(step.databaseMs, 3),
    figure(step.statements, 3),
  ];
  console.log(
    table(
      `Bursts of six reads, by the clock; load average ${loadAverage()}`,
      ['', 'due/s', 'answered/s', 'p50 ms', 'p99 ms', 'failed', 'gateway CPU ms', 'database CPU ms', 'statements'],
      [row('hot, no refresh', hot), ...cold.map((step) => row('cold, a refresh each six', step))],
    ),
  );
  console.log(
    'Latency: from the time at which the clock wanted the read. Figures of a cold read: with its sixth of a refresh, which ' +
      `alone costs the gateway ${figure(refreshMs, 2)} ms of processor time.`,
  );
  for (const step of cold) console.log(`${step.wanted.toFixed(0)} reads a second: ${verdict(step)}`);
}

/** Whether the step held, and which processors were busy. */
function verdict(step: Step): string {
  const { gateway, database, core, tpp, machine }: Shares = step.shares;
  const part = (name: string, share: number | undefined): string => `${name} ${share?.toFixed(2) ?? notHere}`;
  const known = [gateway, database, core, tpp].reduce<number>((sum, share) => sum + (share ?? 0), 0);
  const busy = [
    part('gateway', gateway),
    part('PostgreSQL', database),
    part('sandbox bank', core),
    part('TPP', tpp),
    part('other programs', Math.max(0, machine - known)),
  ].join(', ');
  const all = cpus().length;
  const cause =
    (gateway ?? 0) > 0.9
      ? 'the one process of the gateway was busy'
      : machine > 0.9 * all
        ? 'the machine was busy'
        : 'neither the gateway nor the machine was busy';
  return `${holds(step) ? 'held' : `gave way, ${cause}`}. Processors in use, of ${all}: ${busy}`;
}
