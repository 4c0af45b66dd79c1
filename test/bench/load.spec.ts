import { describe, expect, it } from '@jest/globals';
import { rotated, workThrough } from './load.js';

describe('work of several at a time', () => {
  it('goes on until there is none left, by as many as there are workers', async () => {
    let [left, running, most] = [10, 0, 0];
    const done = await workThrough(3, () => {
      if (left === 0) return undefined;
      left--;
      most = Math.max(most, ++running);
      return new Promise<void>((resolve) => setImmediate(resolve)).finally(() => running--);
    });
    expect([done.answered, done.failed, most, running]).toEqual([10, 0, 3, 0]);
    expect(done.perSecond).toBeGreaterThan(0);
  });

  it('ends with the first that fails, once what is under way is done', async () => {
    let [begun, finished] = [0, 0];
    const work = workThrough(2, () =>
      begun++ === 1
        ? Promise.reject(new Error('refused'))
        : new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => void finished++),
    );
    await expect(work).rejects.toThrow('refused');
    expect([begun, finished]).toEqual([2, 1]);
  });
});

describe('contenders', () => {
  it('begin in turn, round by round', () => {
    expect([0, 1, 2, 3].map((round) => rotated(['a', 'b', 'c'], round).join(''))).toEqual(['abc', 'bca', 'cab', 'abc']);
  });
});
