// Nightly: it tests the kit, a tool for banks, with some hundred broken adapters.
import { describe, expect, it } from '@jest/globals';
import { type AdapterUnderTest, checkCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import { type Mutant, mutated } from './mutants/mutant.js';
import { mutants } from './mutants/mutants.js';
import { mutantsOfPages } from './mutants/pages.js';
import { tinyKit } from './tiny-core.js';
import { TinyAdapter } from './tiny.adapter.js';

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

  it.each(mutantsOfPages)('$does, where the test core cannot be filled', async (mutant) => {
    const core: AdapterUnderTest['core'] = async (wanted) => ({ ...(await rightKit.core(wanted)), fill: undefined });
    const outcomes: string[] = [];
    for await (const { outcome } of checkCoreAdapter(mutated({ ...rightKit, core }, mutant), mutant.clauses))
      outcomes.push(outcome);
    expect(outcomes).toContain('broken');
  });

  it.each([
    [
      'gives the available balance without the sign',
      'CORE-79: balances of account A-20001: available.amount: is 2000n GBP and must be -2000n GBP: ' +
        'keep the sign of the core’s amount, or take it from the field that has it',
    ],
    [
      'leaves out a credit limit of zero',
      'CORE-80: balances of account A-20001: creditLimit is missing where the core has 0n GBP: zero is an amount',
    ],
    [
      'cuts the list of accounts after the twentieth',
      'CORE-81: accounts of anna-0001: 20 where the core has 107: read the core’s list to its end',
    ],
  ])('%s, and says how to fix it', async (does, sentence) => {
    const mutant = mutants.find((one) => one.does === does) as Mutant;
    const said: string[] = [];
    for await (const { clause, reason } of checkCoreAdapter(mutated(rightKit, mutant), mutant.clauses))
      said.push(`${clause.id}: ${reason}`);
    expect(said).toEqual([sentence]);
  });
});
