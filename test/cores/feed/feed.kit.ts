import type { AccountTruth, AdapterUnderTest } from '../../../packages/adapter-kit/adapter-kit.js';
import { createAdapter } from '../../../src/core-banking/adapters/feed/feed.adapter.js';
import { people } from '../../adapter-kit/tiny-people.js';
import { FeedBank } from './feed-bank.js';

export const kit: AdapterUnderTest = {
  source: 'replica',
  core: async ({ timeZone = 'Etc/UTC' }) => {
    const bank = new FeedBank(timeZone);
    await bank.mustDeliver();
    return bank.core;
  },
  create: createAdapter,
  personas: () => [...people].map(([customerRef, accounts]) => ({ customerRef, accountRefs: [...accounts.keys()] })),
  truth: (customerRef, accountRef) => people.get(customerRef)?.get(accountRef) as AccountTruth,
  badSettings: {
    CORE_FEED_FILE: [undefined, '', 'feed.yaml', '/nowhere/feed.yaml'],
    CORE_FEED_MAX_AGE: [undefined, '', 'P', 'PT0H', '36', '36h', 'P1Y', 'P1.5D'],
  },
};
