// Nightly: it tests the kit, a tool for banks, in worlds that it generates.
import { describe, expect, it } from '@jest/globals';
import { type AdapterUnderTest, checkCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import type { CoreTransaction } from '../../packages/core-adapter/core.records.js';
import { resultOf, rightKit, unfilled } from './right-kit.js';
import { calls, records } from './wrong-adapters/wrong-adapter.js';

const generatedBy = (kit: AdapterUnderTest) => resultOf(kit, 'CORE-64');

/** Escapes the descriptions alone: an id that differs would be another record, and not a difference of one. */
const escaping = records<CoreTransaction>('transactions', ({ description, ...row }) => ({
  ...row,
  ...(description !== undefined && { description: description.replaceAll("'", '&#39;') }),
}))(rightKit);

/** Counts a row at the exclusive edge of a window. */
const inclusive = calls(() => (call, ask) => {
  const { query } = call;
  return ask(query?.to ? { ...call, query: { ...query, to: new Date(query.to.getTime() + 1) } } : call);
})(rightKit);

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
