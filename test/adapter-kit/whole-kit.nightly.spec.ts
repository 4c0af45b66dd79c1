// Nightly: it tests the kit, a tool for banks, by runs of all its clauses.
import { describe, expect, it } from '@jest/globals';
import {
  type AdapterUnderTest,
  checkCoreAdapter,
  type ClauseResult,
  clausesOf,
} from '../../packages/adapter-kit/adapter-kit.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { tinyKit } from './tiny-core.js';
import { TinyAdapter } from './tiny.adapter.js';

/** All clauses run one after the other, and some wait for a deadline. */
const allClausesWithinMs = 600_000;

const rightKit = tinyKit((settings) => new TinyAdapter(settings));

async function resultsOf(kit: AdapterUnderTest): Promise<ClauseResult[]> {
  const results: ClauseResult[] = [];
  for await (const result of checkCoreAdapter(kit)) results.push(result);
  return results;
}

describe('the whole adapter kit', () => {
  it(
    'finds nothing wrong with an adapter that is right',
    async () => {
      const results = await resultsOf(rightKit);
      expect(results.filter(({ outcome }) => outcome !== 'kept')).toEqual([]);
      expect(results.map(({ clause }) => clause.id)).toEqual(clausesOf('http').map(({ id }) => id));
    },
    allClausesWithinMs,
  );

  it('fails every clause without data and names the missing data when the core has no customers', async () => {
    const results = await resultsOf({ ...rightKit, personas: () => [] });
    const broken = results.filter(({ outcome }) => outcome === 'broken');
    // These clauses check the adapter without accounts, or with generated ones.
    const kept = results.filter(({ outcome }) => outcome === 'kept').map(({ clause }) => clause.id);
    expect(kept).toEqual(['CORE-01', 'CORE-02', 'CORE-04', 'CORE-07', 'CORE-54', 'CORE-64']);
    for (const { reason } of broken)
      expect(reason).toMatch(/the truth has no|the kit has (no|fewer than)|there is no amount|the truth names no/);
  });

  it('keeps no clause about reads where every read fails', async () => {
    class DeafAdapter extends TinyAdapter {
      override send(): never {
        throw new CoreError('unavailable', 'tiny is unreachable');
      }
    }
    const results = await resultsOf(tinyKit((settings) => new DeafAdapter(settings)));
    const kept = results.filter(({ outcome }) => outcome === 'kept').map(({ clause }) => clause.id);
    // Its settings, its declarations, and its fault when the connection is refused.
    expect(kept).toEqual(['CORE-01', 'CORE-02', 'CORE-44']);
  });
});
