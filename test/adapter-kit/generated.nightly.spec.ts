// Nightly: it tests the kit, a tool for banks, in worlds that it generates.
import { describe, expect, it } from '@jest/globals';
import { type AdapterUnderTest, checkCoreAdapter, type ClauseResult } from '../../packages/adapter-kit/adapter-kit.js';
import type { CoreContext, CoreTransactionsRead } from '../../packages/core-adapter/core.adapter.js';
import type { TransactionQuery } from '../../packages/core-adapter/core.records.js';
import type { Tiny } from './flaw.js';
import { tinyKit } from './tiny-core.js';
import { TinyAdapter } from './tiny.adapter.js';

const kitOf = (Adapter: Tiny): AdapterUnderTest => tinyKit((settings) => new Adapter(settings));
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
class EscapingAdapter extends TinyAdapter {
  override async transactions(
    ref: string,
    query: TransactionQuery,
    context: CoreContext,
  ): Promise<CoreTransactionsRead> {
    const read = await super.transactions(ref, query, context);
    const items = read.items.map((item) =>
      item.description === undefined ? item : { ...item, description: item.description.replaceAll("'", '&#39;') },
    );
    return { ...read, items };
  }
}

/** Counts a row at the upper edge of the window, which is exclusive. */
class InclusiveAdapter extends TinyAdapter {
  override transactions(ref: string, query: TransactionQuery, context: CoreContext): Promise<CoreTransactionsRead> {
    const to = query.to && new Date(query.to.getTime() + 1);
    return super.transactions(ref, { ...query, to }, context);
  }
}

/** How many cases it takes to find the smallest differs between runs. */
const shrinksWithinMs = 300_000;

describe('the clause about generated cases', () => {
  it('names the seed, the smallest case, the account, the record and the difference', async () => {
    const { outcome, reason = '' } = await generatedBy(kitOf(EscapingAdapter));
    expect(outcome).toBe('broken');
    expect(reason).toMatch(/^account.*(?:&#39;|\\").* where the core has .*'/);
    expect(reason).toMatch(/\nseed: -?\d+\n/);
    const [, smallest = ''] = reason.split('the smallest case that fails: ');
    // One apostrophe is enough, and is all that shrinking leaves.
    expect(smallest.match(/'/g)).toHaveLength(1);
  });

  it('finds the same case again under the same seed', async () => {
    const kit = { ...kitOf(EscapingAdapter), seed: 7 };
    const { reason } = await generatedBy(kit);
    expect(reason).toContain('\nseed: 7\n');
    expect((await generatedBy(kit)).reason).toBe(reason);
  });

  it.each([
    ['filled with customers', kitOf(InclusiveAdapter)],
    ['asked about its own histories', unfilled(kitOf(InclusiveAdapter))],
  ])(
    'finds a wrong answer to a query where the core is %s',
    async (_, kit) => {
      const { outcome, reason } = await generatedBy(kit);
      expect(outcome).toBe('broken');
      expect(reason).toMatch(
        /^account ".*" of customer ".*", transactions, to .*: the page is \[.*\] where the core has \[/,
      );
    },
    shrinksWithinMs,
  );

  it('is kept by a right adapter whose core cannot be filled', async () => {
    expect(await generatedBy(unfilled(kitOf(TinyAdapter)))).toMatchObject({ outcome: 'kept' });
  });

  it('reports its progress', async () => {
    const told: string[] = [];
    for await (const { outcome } of checkCoreAdapter(kitOf(TinyAdapter), ['CORE-64'], (_, text) => told.push(text)))
      expect(outcome).toBe('kept');
    expect(told.at(-1)).toBe('100 of 100 generated worlds');
  });
});
