import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StackTime } from './stack-time.js';
import { farthestMs, keepTime, keptClock, keptTimeFile } from './kept-time.js';
import { SandboxClock } from './sandbox-clock.js';

const dayMs = 86_400_000;

describe('the time of the sandbox', () => {
  let folder: string;
  let told: number[];
  const timeOf = (clock: SandboxClock) =>
    new StackTime(clock, folder, (aheadMs) => {
      told.push(aheadMs);
      return Promise.resolve();
    });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-time-'));
    told = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is the machine’s time until a user moves it, and a restart keeps it', async () => {
    expect((await keptClock(folder)).aheadMs).toBe(0);
    await timeOf(await keptClock(folder)).forward(15 * 60_000);
    expect((await keptClock(folder)).aheadMs).toBe(15 * 60_000);
  });

  it('moves on in every process by the sum of simultaneous requests', async () => {
    const time = timeOf(new SandboxClock());
    await Promise.all([time.forward(dayMs), time.forward(2 * dayMs), time.forward(dayMs)]);
    expect(told).toEqual([dayMs, 3 * dayMs, 4 * dayMs]);
    expect(time.clock.aheadMs).toBe(4 * dayMs);
  });

  it('never goes back', async () => {
    const clock = new SandboxClock(dayMs);
    clock.moveTo(dayMs - 1);
    expect(clock.aheadMs).toBe(dayMs);
    await expect(timeOf(clock).forwardTo(clock.nowMs() - 60_000)).rejects.toThrow(/forward only/);
    await expect(timeOf(clock).forwardTo(Number.NaN)).rejects.toThrow(/forward only/);
    expect(told).toEqual([]);
  });

  it('moves ten years ahead at most, and stays where it is when it cannot be kept', async () => {
    const clock = new SandboxClock(farthestMs);
    await expect(timeOf(clock).forward(1)).rejects.toThrow(/ten years/);
    await writeFile(join(folder, 'sandbox'), '');
    const other = new SandboxClock();
    await expect(timeOf(other).forward(dayMs)).rejects.toThrow();
    expect([clock.aheadMs, other.aheadMs, told]).toEqual([farthestMs, 0, []]);
  });

  it.each(['', '{}', '{"aheadMs":-1}', '{"aheadMs":"5"}', '{"aheadMs":1e300}', '[]'])(
    'is not guessed where its file holds %j',
    async (text) => {
      await keepTime(folder, 1);
      await writeFile(keptTimeFile(folder), text);
      await expect(keptClock(folder)).rejects.toThrow(/(cannot be read as|does not hold) a time/);
    },
  );
});
