import { describe, expect, it } from '@jest/globals';
import { inTurn, runRequests } from './load.js';

describe('work by several workers of the bench', () => {
  it('goes on with all workers until no work is left', async () => {
    let [left, running, most] = [10, 0, 0];
    const done = await runRequests(3, () => {
      if (left === 0) return undefined;
      left--;
      most = Math.max(most, ++running);
      return new Promise<void>((resolve) => setImmediate(resolve)).finally(() => running--);
    });
    expect([done.answered, done.failed, most, running]).toEqual([10, 0, 3, 0]);
    expect(done.perSecond).toBeGreaterThan(0);
  });

  it('rejects with the first failure once the running work is done', async () => {
    let [begun, finished] = [0, 0];
    const work = runRequests(2, () =>
      begun++ === 1
        ? Promise.reject(new Error('refused'))
        : new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => void finished++),
    );
    await expect(work).rejects.toThrow('refused');
    expect([begun, finished]).toEqual([2, 1]);
  });
});

describe('contenders of the bench', () => {
  it.each(['ab', 'abc', 'abcd'])('%s follow each other equally often', (names) => {
    const contenders = [...names];
    const rounds = contenders.length % 2 ? contenders.length * 2 : contenders.length;
    const orders = Array.from({ length: rounds }, (_, round) => inTurn(contenders, round).join(''));
    for (const order of orders) expect([...order].sort()).toEqual(contenders);
    const times = (pair: string) => orders.filter((order) => order.includes(pair)).length;
    const pairs = contenders.flatMap((one) => contenders.filter((next) => next !== one).map((next) => one + next));
    expect(new Set(pairs.map(times)).size).toBe(1);
    expect(inTurn(contenders, rounds)).toEqual(inTurn(contenders, 0));
  });
});
