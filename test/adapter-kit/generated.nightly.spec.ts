// Nightly: it tests the kit, a tool for banks, in worlds that it generates.
import { describe, expect, it } from '@jest/globals';
import { type AdapterUnderTest, checkCoreAdapter, type ClauseResult } from '../../packages/adapter-kit/adapter-kit.js';
import type { CoreTransaction } from '../../packages/core-adapter/core.records.js';
import { rightKit } from './right-kit.js';
import { wrongAboutHistory } from './wrong-adapters/history.js';
import { records } from './wrong-adapters/wrong-adapter.js';

/** The same core, which cannot be filled: the kit asks about the histories of its truth. */
const unfilled = (kit: AdapterUnderTest): AdapterUnderTest => ({
  ...kit,
  core: async (world) => ({ ...(await kit.core(world)), fill: undefined }),
});

async function generatedBy(kit: AdapterUnderTest): Promise<ClauseResult> {
  for await (const result of checkCoreAdapter(kit, ['CORE-64'])) return result;
  throw new Error('the kit has no such clause');
}

/** Escapes the descriptions alone: an id that differs would be another record, and not a difference of one. */
const escaping = records<CoreTransaction>('transactions', ({ description, ...row }) => ({
  ...row,
  ...(description !== undefined && { description: description.replaceAll("'", '&#39;') }),
}))(rightKit);

const [, , makeInclusive] = wrongAboutHistory.find(([, does]) => does.includes('exclusive edge')) ?? [];
const inclusive = makeInclusive?.(rightKit) ?? rightKit;

/** How many cases it takes to find the smallest differs between runs. */
const shrinksWithinMs = 300_000;

describe('the clause about generated cases', () => {
  it('names the seed, the smallest case, the account, the record and the difference', async () => {
    const { outcome, reason = '' } = await generatedBy(escaping);
    expect(outcome).toBe('broken');
    expect(reason).toMatch(/^account.*(?:&#39;|\\").* where the core has .*'/);
    expect(reason).toMatch(/\nseed: -?\d+\n/);
    const [, smallest = ''] = reason.split('the smallest case that fails: ');
    // One apostrophe is enough, and is all that shrinking leaves.
    expect(smallest.match(/'/g)).toHaveLength(1);
  });

  it('finds the same case again under the same seed', async () => {
    const kit = { ...escaping, seed: 7 };
    const { reason } = await generatedBy(kit);
    expect(reason).toContain('\nseed: 7\n');
    expect((await generatedBy(kit)).reason).toBe(reason);
  });

  it.each([
    ['filled with customers', inclusive],
    ['asked about its own histories', unfilled(inclusive)],
  ])(
    'finds a wrong answer to a query where the core is %s',
    async (_, kit) => {
      const { outcome, reason } = await generatedBy(kit);
      expect(outcome).toBe('broken');
      expect(reason).toMatch(
        /^account ".*" of customer ".*", transactions, (?:from .*, )?to .*: the page is \[.*\] where the core has \[/,
      );
    },
    shrinksWithinMs,
  );

  it('is kept by a right adapter whose core cannot be filled', async () => {
    expect(await generatedBy(unfilled(rightKit))).toMatchObject({ outcome: 'kept' });
  });

  it('reports its progress', async () => {
    const told: string[] = [];
    for await (const { outcome } of checkCoreAdapter(rightKit, ['CORE-64'], (_, text) => told.push(text)))
      expect(outcome).toBe('kept');
    expect(told.at(-1)).toBe('100 of 100 generated worlds');
  });
});
