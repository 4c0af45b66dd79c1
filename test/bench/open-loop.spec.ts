import { describe, expect, it } from '@jest/globals';
import { openLoop } from './open-loop.js';

describe('an open loop of the bench', () => {
  it('waits for no answer before it begins the next request, and ends with the last answer', async () => {
    let [begun, answered] = [0, 0];
    let answerAll = (): void => undefined;
    const lastBegun = new Promise<void>((resolve) => (answerAll = resolve));
    await openLoop(1_000, 5, async () => {
      if (++begun === 5) answerAll();
      await lastBegun;
      answered++;
    });
    expect([begun, answered]).toEqual([5, 5]);
  });

  it('states the times by the rate alone, also where it is late itself', async () => {
    const intended: number[] = [];
    await openLoop(500, 4, async (_index, intendedMs) => {
      intended.push(intendedMs);
      const busyUntil = performance.now() + 5;
      while (performance.now() < busyUntil);
      await Promise.resolve();
    });
    const steps = intended.slice(1).map((time, index) => time - (intended[index] ?? 0));
    for (const step of steps) expect(step).toBeCloseTo(2, 6);
  });

  it('begins nothing before its time', async () => {
    const early: number[] = [];
    await openLoop(200, 4, async (_index, intendedMs) => {
      if (performance.now() < intendedMs) early.push(intendedMs);
      await Promise.resolve();
    });
    expect(early).toEqual([]);
  });
});
