import { setTimeout as delay } from 'node:timers/promises';

/**
 * Begins `arrive` `perSecond` times a second, at times that the clock alone sets: it waits for no answer. Where it is late
 * itself, the next one begins at once. Resolves when all are done.
 *
 * autocannon at a rate waits for an answer before a connection sends again, and then corrects its percentiles.
 * @param arrive gets its intended time, as of `performance.now()`, from which every latency counts; it must not reject
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
