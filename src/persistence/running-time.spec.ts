import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../test/support/until.js';
import { afterRunning } from './running-time.js';

/** Blocks this process. */
const hold = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('time in which a process runs', () => {
  it('ends', async () => {
    let over = false;
    afterRunning(20, () => (over = true));
    await until(() => over);
  });

  it('is at least as long as the time of a clock', async () => {
    const startedMs = performance.now();
    await new Promise<void>((resolve) => void afterRunning(200, resolve));
    expect(performance.now() - startedMs).toBeGreaterThan(170);
  });

  it('does not pass while the process is held up', async () => {
    let over = false;
    const end = afterRunning(200, () => (over = true));
    for (let times = 0; times < 3; times++) {
      hold(300);
      await sleep(0);
    }
    expect(over).toBe(false);
    end();
  });

  it('does not end after its wait was cancelled', async () => {
    let over = false;
    afterRunning(20, () => (over = true))();
    let other = false;
    afterRunning(100, () => (other = true));
    await until(() => other);
    expect(over).toBe(false);
  });
});
