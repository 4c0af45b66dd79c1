// Nightly: it tests the kit, a tool for banks, by runs of all its clauses.
import { expect, it } from '@jest/globals';
import { type ClauseResult, clausesOf } from '../../packages/adapter-kit/adapter-kit.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { resultsOf, rightKit } from './right-kit.js';
import { calls } from './wrong-adapters/wrong-adapter.js';

/** All clauses run one after the other, and some wait for a deadline. */
const allClausesWithinMs = 600_000;

const idsThatAre = (wanted: ClauseResult['outcome'], results: readonly ClauseResult[]): string[] =>
  results.filter(({ outcome }) => outcome === wanted).map(({ clause }) => clause.id);

it(
  'the whole kit finds nothing wrong with an adapter that is right',
  async () => {
    const results = await resultsOf(rightKit);
    expect(results.filter(({ outcome }) => outcome !== 'kept')).toEqual([]);
    expect(idsThatAre('kept', results)).toEqual(clausesOf('http').map(({ id }) => id));
  },
  allClausesWithinMs,
);

it('the whole kit fails every clause without data and names the missing data when the core has no customers', async () => {
  const results = await resultsOf({ ...rightKit, personas: () => [] });
  // These clauses check the adapter without accounts, or with generated ones.
  expect(idsThatAre('kept', results)).toEqual(['CORE-01', 'CORE-02', 'CORE-04', 'CORE-07', 'CORE-54', 'CORE-64']);
  for (const { outcome, reason } of results)
    if (outcome === 'broken')
      expect(reason).toMatch(/the truth has no|the kit has (no|fewer than)|there is no amount|the truth names no/);
});

it(
  'the whole kit keeps no clause about reads where every read fails',
  async () => {
    const deaf = calls(() => () => Promise.reject(new CoreError('unavailable', 'the core is unreachable')));
    // Its settings, its declarations, its fault when the connection is refused, and its health.
    expect(idsThatAre('kept', await resultsOf(deaf(rightKit)))).toEqual(['CORE-01', 'CORE-02', 'CORE-44', 'CORE-54']);
  },
  allClausesWithinMs,
);
