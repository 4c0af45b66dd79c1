import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves as soon as the condition holds. The time limit is so long that no result depends on the speed of the machine: it
 * only ends the wait for a condition that never holds.
 */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 300_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`This did not come true within ${withinMs} ms: ${condition}`);
    await sleep(1);
  }
}
