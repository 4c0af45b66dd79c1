import { setImmediate } from 'node:timers/promises';
import type { TestDelivery, TestReplica } from '../../../packages/adapter-kit/adapter-kit.js';
import type { CoreBalance } from '../../../packages/core-adapter/core.records.js';
import { calls, type Make, records, type WrongAdapter } from './wrong-adapter.js';

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

/** Mistakes of an adapter or of its loader, for an adapter that reads a replica. */
export const wrongAboutDeliveries: readonly WrongAdapter[] = [
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
];
