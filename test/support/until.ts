import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves as soon as the condition holds. The time limit is so long that no result depends on the speed of the machine: it
 * only ends the wait for a condition that never holds.
 */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 300_000): Promise<void> {
  const fromMs = performance.now();
  while (!(await condition())) {
    const waitedMs = performance.now() - fromMs;
    if (waitedMs > withinMs) throw new Error(`This did not come true within ${withinMs} ms: ${condition}`);
    // A condition that takes long is asked less often: the processes for which it waits need the processor.
    await sleep(Math.min(50, 1 + waitedMs / 20));
  }
}
