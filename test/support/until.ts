import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves as soon as the condition holds; rejects when it does not within the time. */
export async function until(condition: () => boolean, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`This did not come true within ${withinMs} ms: ${condition}`);
    await sleep(1);
  }
}
