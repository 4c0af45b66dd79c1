import { describe, expect, it } from '@jest/globals';
import { mapInPairs } from './map-in-pairs.js';

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('two at a time', () => {
  it('maps every item in order, and never three at once', async () => {
    let [running, most] = [0, 0];
    const made = await mapInPairs(['a', 'b', 'c', 'd', 'e'], async (item, index) => {
      most = Math.max(most, ++running);
      await soon();
      running--;
      return item + index;
    });
    expect([made, most]).toEqual([['a0', 'b1', 'c2', 'd3', 'e4'], 2]);
    expect(await mapInPairs([], soon)).toEqual([]);
  });

  it('starts no other item after a failure', async () => {
    const begun: number[] = [];
    const making = mapInPairs([0, 1, 2, 3, 4], async (item) => {
      begun.push(item);
      await soon();
      if (item === 0) throw new Error('no answer');
    });
    await expect(making).rejects.toThrow('no answer');
    await soon();
    expect(begun).toEqual([0, 1]);
  });
});
