import { describe, expect, it } from '@jest/globals';
import { checkCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import { mutated } from '../../packages/adapter-kit/mutants/mutant.js';
import { mutants } from '../../packages/adapter-kit/mutants/mutants.js';
import { tinyKit } from './tiny-core.js';
import { TinyAdapter } from './tiny.adapter.js';

/** One clause reads 50,000 records and collects the garbage of the whole process. */
const clausesWithinMs = 300_000;
const rightKit = tinyKit((settings) => new TinyAdapter(settings));

describe('the adapter kit finds an adapter that', () => {
  it.each(mutants)(
    '$does',
    async (mutant) => {
      const outcomes = new Map<string, string>();
      for await (const { clause, outcome } of checkCoreAdapter(mutated(rightKit, mutant), mutant.clauses))
        outcomes.set(clause.id, outcome);
      expect([...outcomes.values()]).toContain('broken');
      expect([...outcomes.keys()].toSorted()).toEqual([...mutant.clauses].toSorted());
    },
    clausesWithinMs,
  );
});
