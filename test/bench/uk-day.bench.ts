import { join } from 'node:path';
import { databaseSize, databaseSpent, withSchema } from './database.js';
import { bytesIn, table } from './figures.js';
import { type Burst, filledGateway, type FilledGateway, refreshed, refreshedBursts } from './filled-gateway.js';
import { openLoop, percentiles, readOver, until } from './load.js';
import type { Bench } from './setting.js';

/** The mean of the whole British market in 2026: 24 billion calls a year. */
const market = 772;
const [burstSize, hotConsents, refreshes] = [6, 64, 500] as const;
/** From the refresh of a token to the reads of its burst, which come at once. */
const refreshAheadMs = 500;

type Step = Awaited<ReturnType<typeof step>>;

/** The whole market's mean over one process, and then as much as the machine bears. */
export const ukDay: Bench = async (setting, quick) => {
  const [consents, usable, seconds, stepSeconds] = quick ? [100_000, 5_000, 5, 3] : [1_000_000, 40_000, 60, 15];
  const filled = await filledGateway(setting, consents, usable);
  const size = await databaseSize(filled.databaseUrl);
  const left = [...filled.usable];
  /** Bursts of other consents, each with a refreshed token. */
  const cold = (due: number, forSeconds: number): Promise<Step> => {
    const asked = left.splice(0, Math.round((due * forSeconds) / burstSize));
    return step(filled, 'cold, a refresh each six', due, asked, (one) => refreshed(filled, one));
  };
  // Warms up.
  await cold(market / 4, stepSeconds);
  const before = filled.gateway.server.cpuMs();
  const hot = await refreshedBursts(filled, left.splice(0, refreshes));
  const refreshMs = (filled.gateway.server.cpuMs() - before) / refreshes;
  const again = Array.from({ length: (market * stepSeconds) / burstSize }, (_, index) => hot[index % hotConsents]);
  const steps = [await step(filled, 'hot, no refresh', market, again, (burst) => Promise.resolve(burst ?? []))];
  // Afterwards a page that is written goes into the write-ahead log whole, the first time: as in every few minutes of a day.
  await withSchema(filled.databaseUrl, (client) => client.query('CHECKPOINT'));
  const first = await cold(market, seconds);
  steps.push(first);
  // Rates a quarter higher each until one does not hold; or, where the first did not hold, a quarter lower until one does.
  const factor = holds(first) ? 1.25 : 0.75;
  for (let due = market * factor; due > 10 && left.length >= (due * stepSeconds) / burstSize; due *= factor) {
    const next = await cold(due, stepSeconds);
    steps.push(next);
    if (holds(next) !== holds(first)) break;
  }
  const head = ['due/s', 'answered/s', 'p50 ms', 'p99 ms', 'failed', 'gateway CPU ms', 'database CPU ms'];
  const rows = steps.map(({ name, due, reached, p50Ms, p99Ms, failed, gatewayMs, databaseMs }) => [
    name,
    ...[due, reached].map((rate) => rate.toFixed(0)),
    ...[p50Ms, p99Ms, failed].map((figure) => figure.toFixed(1)),
    ...[gatewayMs, databaseMs].map((ms) => ms.toFixed(3)),
  ]);
  console.log(table('Bursts of six reads, by the clock', ['', ...head], rows));
  console.log(
    `A refresh alone costs the gateway ${refreshMs.toFixed(2)} ms of processor time. ${size} For each read ` +
      `${first.walBytes.toFixed(0)} bytes of write-ahead log and ${first.trailBytes.toFixed(0)} bytes of trail.`,
  );
  return [];
};

/** A step holds while every read is answered and a hundredth, at most, takes longer than a second. */
const holds = ({ failed, p99Ms }: Step): boolean => failed === 0 && p99Ms <= 1_000;

/**
 * One rate for a while. Latencies count from the time at which the clock wanted the request; the processor time and the bytes
 * are for each read, with its part of a refresh.
 * @param due reads a second
 */
async function step<Given>(
  filled: FilledGateway,
  name: string,
  due: number,
  given: readonly Given[],
  burstOf: (given: Given) => Promise<Burst>,
) {
  const times: number[] = [];
  let failed = 0;
  const before = await spent(filled);
  const startedMs = performance.now();
  await openLoop(due / burstSize, given.length, async (index, intendedMs) => {
    const refreshing = burstOf(given[index] as Given).catch(() => undefined);
    const dueMs = intendedMs + refreshAheadMs;
    await until(dueMs);
    const burst = (await refreshing) ?? Array.from({ length: burstSize }, () => undefined);
    await Promise.all(
      burst.map(async (asked) => {
        if (asked === undefined || !(await readOver(filled.agent, asked))) failed++;
        times.push(performance.now() - dueMs);
      }),
    );
  });
  const elapsedMs = performance.now() - startedMs;
  const after = await spent(filled);
  const answered = times.length - failed;
  const each = (figure: keyof typeof after): number => (after[figure] - before[figure]) / answered;
  return {
    name,
    due,
    reached: (answered * 1_000) / (elapsedMs - refreshAheadMs),
    ...percentiles(times),
    failed,
    gatewayMs: each('gatewayMs'),
    databaseMs: each('cpuMs'),
    walBytes: each('walBytes'),
    trailBytes: each('trailBytes'),
  };
}

async function spent({ gateway, databaseUrl }: FilledGateway) {
  const trailBytes = await bytesIn(join(gateway.environment.DATA_DIR ?? '', 'trail'), '.ndjson');
  return { ...(await databaseSpent(databaseUrl)), gatewayMs: gateway.server.cpuMs(), trailBytes };
}
