import { describe, expect, it } from '@jest/globals';
import { knownMedian, median, percentile, table } from './figures.js';
import { atLeastRatio, atMost, atMostRatio } from './goals.js';

describe('the figures of the bench', () => {
  it('have a percentile, the largest of few', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index);
    expect([percentile(hundred, 0.5), percentile(hundred, 0.99), percentile([7], 0.99)]).toEqual([50, 99, 7]);
    expect(percentile([], 0.5)).toBeNaN();
  });

  it('have a median, of an even number the middle of two, and keep their order', () => {
    const values = [3, 1, 2];
    expect([median(values), median([4, 1, 3, 2]), values]).toEqual([2, 2.5, [3, 1, 2]]);
    expect(median([])).toBeNaN();
  });

  it('have no median when one of them is unknown', () => {
    expect([knownMedian([3, 1, 2]), knownMedian([1, undefined, 2])]).toEqual([2, undefined]);
  });

  it('stand in columns', () => {
    expect(
      table(
        'Title',
        ['', 'ms'],
        [
          ['first', '1'],
          ['2nd', '1000'],
        ],
      ),
    ).toBe(['', 'Title', '           ms', '  -----  ----', '  first     1', '  2nd    1000'].join('\n'));
  });
});

describe('a goal of the bench', () => {
  it('is reached by the median of the ratios round by round, not by the ratio of the medians', () => {
    expect(atLeastRatio('a / b', [90, 50, 10], [100, 50, 100], 0.9)).toEqual({
      name: 'a / b',
      wanted: '>= 0.9',
      measured: '0.90 (0.10-1.00)',
      reached: true,
    });
    expect(atLeastRatio('a / b', [89, 50, 10], [100, 50, 100], 0.9).reached).toBe(false);
  });

  it('is missed when a round has no counterpart', () => {
    expect(atLeastRatio('a / b', [1], [], 0.5).reached).toBe(false);
  });

  it('of a small ratio is checked by the median as well', () => {
    expect(atMostRatio('a / b', [200, 50, 900], [100, 50, 100], 2)).toEqual({
      name: 'a / b',
      wanted: '<= 2',
      measured: '2.00 (1.00-9.00)',
      reached: true,
    });
    expect(atMostRatio('a / b', [201, 50, 900], [100, 50, 100], 2).reached).toBe(false);
    expect(atMostRatio('a / b', [1], [], 2).reached).toBe(false);
  });

  it('is reached at its limit, and missed beyond it', () => {
    expect(atMost('start', 1500, 1500, 'ms')).toEqual([
      { name: 'start', wanted: '<= 1500 ms', measured: '1500 ms', reached: true },
    ]);
    expect(atMost('growth', 1.101, 1.1, '', 2)).toEqual([
      { name: 'growth', wanted: '<= 1.1', measured: '1.10', reached: false },
    ]);
  });

  it('does not exist when the figure is unknown', () => {
    expect(atMost('memory', undefined, 256, 'MB')).toEqual([]);
  });
});
