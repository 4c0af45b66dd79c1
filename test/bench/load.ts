import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { percentile } from './figures.js';

export const connections = 32;

/** The figures of one server under one load for a while. */
export interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers of 200. */
  readonly answered: number;
  /** Answers other than 200, errors and timeouts. */
  readonly failed: number;
}

export interface Asked {
  readonly url: string;
  readonly token: string;
}

/** Whether it was answered 200. */
export function readOver(dispatcher: Agent, { url, token }: Asked): Promise<boolean> {
  // The customer is present: else the figures would change at the moment at which reads begin to count.
  const attended = { 'x-fapi-customer-ip-address': '203.0.113.7' };
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', ...attended };
  return request(url, { dispatcher, headers }).then(
    async ({ statusCode, body }) => {
      await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      return statusCode === 200;
    },
    () => false,
  );
}

/** Asks as fast as the answers come; each kept-alive connection repeats one of the requests. */
export async function load(asked: readonly Asked[], seconds: number, atOnce = connections): Promise<Round> {
  const agent = new Agent({ connections: atOnce, headersTimeout: 10_000 });
  const untilMs = performance.now() + seconds * 1_000;
  const round = await runRequests(atOnce, (worker) =>
    performance.now() < untilMs ? readOver(agent, asked[worker % asked.length] as Asked) : undefined,
  );
  await agent.destroy();
  return round;
}

/** Each worker does one piece of the work that `next` returns at a time, until it returns none. */
export async function runRequests(
  workers: number,
  next: (worker: number) => Promise<boolean> | undefined,
): Promise<Round> {
  const [times, startedMs]: [number[], number] = [[], performance.now()];
  let failed = 0;
  const work = async (worker: number): Promise<void> => {
    for (;;) {
      const beganMs = performance.now();
      const done = await next(worker);
      if (done === undefined) return;
      if (!done) failed++;
      times.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  const answered = times.length - failed;
  return { ...percentiles(times), perSecond: (answered * 1_000) / (performance.now() - startedMs), answered, failed };
}

/**
 * Begins `arrive` `perSecond` times a second, at times that the clock alone sets: it waits for no answer. Where it is late
 * itself, the next one begins at once. Resolves when all are done.
 * @param arrive gets its intended time, as of `performance.now()`, from which every latency counts
 */
export async function openLoop(
  perSecond: number,
  count: number,
  arrive: (index: number, intendedMs: number) => Promise<void>,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < count; index++) {
    const intendedMs = startedMs + (index * 1_000) / perSecond;
    await until(intendedMs);
    underWay.push(arrive(index, intendedMs));
  }
  await Promise.all(underWay);
}

/** Resolves at that time, or at once where it has passed. Node's timers may end early. */
export async function until(timeMs: number): Promise<void> {
  for (let leftMs = timeMs - performance.now(); leftMs > 0; leftMs = timeMs - performance.now()) await delay(leftMs);
}

export function percentiles(times: readonly number[]): Pick<Round, 'p50Ms' | 'p99Ms'> {
  const sorted = times.toSorted((one, other) => one - other);
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}
