import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdapterUnderTest } from '../../../packages/adapter-kit/adapter-kit.js';
import { createAdapter } from '../../../src/core-banking/adapters/feed/feed.adapter.js';
import { packageRoot } from '../../../src/persistence/package-root.js';
import { unprovedBy } from '../../support/examples.js';
import { clausesWithout } from '../../support/unneeded-clauses.js';
import { knowing } from '../changing-people.js';
import { checkedParts } from './feed.examples.js';
import { FeedBank } from './feed-bank.js';
import { MappedShape } from './mapped-shape.js';

async function coreOf(bank: FeedBank) {
  await bank.mustDeliver();
  return bank.core;
}

/**
 * The adapter with a bank's mapping: the kit's people are delivered in its columns, codes and forms, and the examples next to
 * it must agree with it.
 *
 * @param path of the bank's file
 */
export function kitOfMapping(path: string): AdapterUnderTest {
  const text = readFileSync(path, 'utf8');
  const shape = new MappedShape(text);
  const truths = shape.truths();
  const all = [...truths.values()].flat();
  return {
    source: 'replica',
    create: createAdapter,
    badSettings: {
      CORE_FEED_FILE: [undefined, '', 'feed.yaml', '/nowhere/feed.yaml'],
      CORE_FEED_MAX_AGE: [undefined, '', 'P', 'PT0H', '36', '36h', 'P1Y', 'P1.5D'],
    },
    core: ({ timeZone }) => coreOf(new FeedBank(timeZone === undefined ? shape : new MappedShape(text, timeZone))),
    unproved: () => unprovedBy(path, checkedParts(path)),
    ...knowing(truths),
    without: {
      ...(all.every(({ international = [] }) => international.length === 0) && {
        'CORE-39': 'the mapping leaves no international payments out',
      }),
      ...clausesWithout(all),
    },
  };
}

const ownFile = join(packageRoot(), 'test/cores/feed/bank.yaml');

export const kit: AdapterUnderTest = kitOfMapping(process.env['CORE_FEED_FILE'] || ownFile);
