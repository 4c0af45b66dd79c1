import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a read that hangs. It is too long for a read that is merely slow. */
export const readPatienceMs = 60_000;

const tickMs = 10;

/** The result, or `late`. A result that comes later still is ignored. */
export async function inTime<T>(awaited: Promise<T>, patienceMs: number): Promise<T | 'late'> {
  let ended = false;
  const end = (): void => void (ended = true);
  awaited.then(end, end);
  for await (const _ of ticks(patienceMs)) if (ended) return awaited;
  return 'late';
}

/** @throws AssertionError with the sentence where the condition does not come true in time */
export async function until(condition: () => boolean, patienceMs: number, sentence: string): Promise<void> {
  for await (const _ of ticks(patienceMs)) if (condition()) return;
  assert.fail(sentence);
}

/**
 * Time in which this process runs: a number of timers of 10 ms, one after the other. A busy machine that keeps the adapter from
 * running keeps the timers from running too, so that no verdict depends on how fast the machine is.
 */
async function* ticks(patienceMs: number): AsyncGenerator<void> {
  yield;
  for (let passedMs = 0; passedMs < patienceMs; passedMs += tickMs) {
    await sleep(tickMs);
    yield;
  }
}
