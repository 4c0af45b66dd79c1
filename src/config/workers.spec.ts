import { describe, expect, it } from '@jest/globals';
import { availableParallelism } from 'node:os';
import { wantedWorkers } from './workers.js';

describe('WORKERS', () => {
  it.each([
    [undefined, 1],
    ['', 1],
    ['1', 1],
    ['2', 2],
    ['99', 99],
    ['auto', availableParallelism()],
  ])('of %j asks for %d processes', (text, processes) => {
    expect(wantedWorkers(text)).toBe(processes);
  });

  it.each(['0', '100', '-2', '2.5', ' 2', 'two'])(
    'of %j asks for one, and the check of the settings refuses it',
    (text) => {
      expect(wantedWorkers(text)).toBe(1);
    },
  );
});
