import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kitServices } from '../../../packages/adapter-kit/kit-services.js';
import { createAdapter } from '../../../src/core-banking/adapters/feed/feed.adapter.js';
import { filesOfWalk } from '../../feed/files-of-walk.js';
import { context } from '../../feed/small-feed.js';
import { FeedBank } from './feed-bank.js';
import { MappedShape } from './mapped-shape.js';

const { text: ofWalk = '' } = filesOfWalk.find(({ name }) => name === 'feed.yaml') ?? {};
const bank = readFileSync(join(import.meta.dirname, 'bank.yaml'), 'utf8');

describe('the kit’s people in the shape of a mapping', () => {
  it.each([
    ['without a section csv', ofWalk],
    ['in one currency that is not pounds', ofWalk.replaceAll('GBP', 'EUR')],
    ['with a history to which deliveries add', bank.replace('currency: GBP', 'currency: GBP\nhistory: added')],
    ['with codes, local times and rows that are left out', bank],
  ])('are delivered twice and read as their truth says, %s', async (_, text) => {
    const shape = new MappedShape(text);
    const test = new FeedBank(shape);
    await test.mustDeliver();
    await test.mustDeliver();
    const clock = { nowMs: () => test.core.replica?.asOfMs() ?? 0 };
    const { url, variables = {}, close } = test.core;
    const adapter = await createAdapter({ url, connections: 1, variables }, { ...kitServices, clock });
    try {
      for (const [customerRef, accounts] of shape.truths()) {
        const listed = (await adapter.accounts(context(customerRef))).items;
        expect(listed.toSorted((a, b) => (a.ref < b.ref ? -1 : 1))).toEqual(
          accounts.map(({ account }) => account).toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
        );
        for (const truth of accounts)
          expect((await adapter.balances?.(truth.account.ref, context(customerRef)))?.items).toEqual(
            expect.arrayContaining([...(truth.balances ?? [])]),
          );
      }
    } finally {
      await adapter.close();
      await close();
    }
  });
});
