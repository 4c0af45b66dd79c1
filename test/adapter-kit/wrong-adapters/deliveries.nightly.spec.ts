// Nightly: it tests the kit, a tool for banks, with wrong adapters of a replica, and wrong loaders of its deliveries.
import { setImmediate } from 'node:timers/promises';
import type { AdapterUnderTest, TestDelivery, TestReplica } from '../../../packages/adapter-kit/adapter-kit.js';
import type { CoreBalance } from '../../../packages/core-adapter/core.records.js';
import { kit as feed } from '../../cores/feed/feed.kit.js';
import { findsEach } from './finds-each.js';
import { calls, type Make, records } from './wrong-adapter.js';

/** Another way to take deliveries. */
const taking =
  (change: (right: TestReplica) => Partial<TestReplica>): Make =>
  (kit) => ({
    ...kit,
    core: async (wanted) => {
      const core = await kit.core(wanted);
      const replica = core.replica as TestReplica;
      return { ...core, replica: { ...replica, ...change(replica) } };
    },
  });

/** Takes a delivery of one kind all the same, and says so or not. */
const takes = (kind: TestDelivery, isSaid: boolean): Make =>
  taking((right) => ({
    deliver: async (delivery) => {
      if (delivery !== kind) return right.deliver(delivery);
      await right.deliver('newer');
      return isSaid;
    },
  }));

/** The kit of delivered files, with one of its customers: the others would only take time. */
const feedKit: AdapterUnderTest = { ...feed, personas: async () => (await feed.personas()).slice(1) };

findsEach(
  [
    [
      'CORE-70',
      'keeps the answers with which it began',
      calls(() => {
        const kept = new Map<string, Promise<object>>();
        return async (call, ask) => {
          // A real replica reads files, which lets a delivery in between.
          await setImmediate();
          const answer = kept.get(call.read) ?? ask(call);
          kept.set(call.read, answer);
          return answer;
        };
      }),
    ],
    ['CORE-71', 'takes a delivery with a broken record', takes('broken', true)],
    ['CORE-72', 'refuses a partial delivery, and has its time all the same', takes('partial', false)],
    ['CORE-73', 'takes an older delivery', takes('older', true)],
    ['CORE-74', 'keeps a delivery that was cut off', takes('cut-off', false)],
    [
      'CORE-75',
      'shows data of any age',
      (kit) => ({
        ...kit,
        create: (settings, services) => kit.create(settings, { ...services, clock: { nowMs: () => 0 } }),
      }),
    ],
    [
      'CORE-76',
      'gives balances the time of reading',
      records<CoreBalance>('balances', (row) => ({ ...row, at: new Date('2030-01-01') })),
    ],
  ],
  feedKit,
);
