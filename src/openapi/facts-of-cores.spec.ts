import { describe, expect, it } from '@jest/globals';
import { factsOfCores } from './facts-of-cores.js';

describe('the published facts of several cores', () => {
  it('are those of a single core as it states them', () => {
    expect(factsOfCores([{ pending: 'none', maxTransactionHistory: 'P7Y' }])).toEqual({
      pending: 'none',
      maxTransactionHistory: 'P7Y',
    });
    expect(factsOfCores([{ pending: 'id-kept' }])).toEqual({ pending: 'id-kept' });
  });

  it('promise that the id of a pending transaction stays only where every core that shows one keeps it', () => {
    expect(factsOfCores([{ pending: 'none' }, { pending: 'id-kept' }]).pending).toBe('id-kept');
    expect(factsOfCores([{ pending: 'id-kept' }, { pending: 'id-changes' }, { pending: 'none' }]).pending).toBe(
      'id-changes',
    );
    expect(factsOfCores([{ pending: 'none' }, { pending: 'none' }]).pending).toBe('none');
  });

  it('promise the shortest history, in whatever unit it is stated', () => {
    const history = (...stated: (string | undefined)[]): string | undefined =>
      factsOfCores(stated.map((one) => ({ pending: 'none', ...(one && { maxTransactionHistory: one }) })))
        .maxTransactionHistory;
    expect(history('P7Y', 'P13M', 'P2Y')).toBe('P13M');
    expect(history('P90D', 'P12W')).toBe('P12W');
    expect(history(undefined, 'P2Y')).toBe('P2Y');
    expect(history(undefined, undefined)).toBeUndefined();
  });
});
