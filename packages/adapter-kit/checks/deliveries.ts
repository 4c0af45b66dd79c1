import assert from 'node:assert/strict';
import type { CoreAdapter } from '../../core-adapter/core.adapter.js';
import type { CoreBalance } from '../../core-adapter/core.records.js';
import { same, textOf } from '../compare.js';
import { msOf } from '../history-model.js';
import { readPatienceMs } from '../patience.js';
import { ask, askAny, contextOf, faultOf, type Subject } from '../reads.js';
import type { TestDelivery, TestReplica } from '../adapter-under-test.js';
import type { World } from '../world.js';
import { itemsOf } from './answers.js';
import { assertRead } from './leaves.js';

function replicaOf({ core }: World): TestReplica {
  assert.ok(core.replica, 'the test core has no `replica`: it says how the kit delivers data');
  return core.replica;
}

/** By the clock of a second adapter the old data are stale, so it can answer only from the new data. */
export async function newDeliveryIsRead(world: World): Promise<void> {
  await world.elsewhere({}, async (there) => {
    const replica = replicaOf(there);
    const tooLateMs = replica.asOfMs() + replica.maxAgeMs + 1;
    await there.with(
      async (adapter) => {
        await assertStale(there, adapter, 'before the new delivery');
        const watch = new Watch(there);
        const taken = await replica.deliver('newer');
        await watch.end();
        assert.ok(taken, 'a newer delivery was not taken');
        for (const read of there.everyRead) await askAny(adapter, read, there.subjectOf(read));
      },
      undefined,
      () => tooLateMs,
    );
  });
}

/** Reads one after the other until it ends. The delivery has the same records, so each answer has to stay the same. */
class Watch {
  private isOver = false;
  private readonly reading: Promise<void>;

  constructor(private readonly world: World) {
    this.reading = this.read();
    this.reading.catch(() => {});
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.reading;
  }

  private async read(): Promise<void> {
    const { world } = this;
    const before = await answersOf(world);
    do same(await answersOf(world), before, 'the answers while a delivery with the same records is taken');
    while (!this.isOver);
  }
}

/** None of the deliveries is taken; afterwards the data are the same, as of the same time, and a newer delivery is taken. */
export function changesNothing(...deliveries: readonly TestDelivery[]) {
  return async (world: World): Promise<void> => {
    await world.elsewhere({}, async (there) => {
      const replica = replicaOf(there);
      const before = await answersOf(there);
      const asOfMs = replica.asOfMs();
      for (const delivery of deliveries) {
        const where = `after a delivery that is ${delivery}`;
        assert.equal(await replica.deliver(delivery), false, `a delivery that is ${delivery} was taken`);
        same(await answersOf(there), before, `the answers ${where}`);
        await assertStaleAfter(there, asOfMs + replica.maxAgeMs, where);
      }
      assert.ok(await replica.deliver('newer'), 'a newer delivery was not taken after one that was refused');
    });
  };
}

export async function oldDataAreStale(world: World): Promise<void> {
  const replica = replicaOf(world);
  await assertStaleAfter(world, replica.asOfMs() + replica.maxAgeMs, 'at the end of the configured age');
}

export async function balancesAreNotYounger(world: World): Promise<void> {
  const asOfMs = replicaOf(world).asOfMs();
  let checked = 0;
  for (const [{ accountRef }, snapshot] of await world.everything())
    for (const balance of itemsOf(snapshot, 'balances') as readonly CoreBalance[]) {
      checked++;
      assert.ok(msOf(balance.at) <= asOfMs, `a balance of account ${accountRef} is younger than the delivery`);
    }
  assertRead(checked, 'balance');
}

/** To the millisecond: the last one at which the data are shown, and the first at which they are stale. */
async function assertStaleAfter(world: World, lastMs: number, where: string): Promise<void> {
  let nowMs = lastMs;
  await world.with(
    async (adapter) => {
      for (const read of world.everyRead) await askAny(adapter, read, world.subjectOf(read));
      await adapter.health(AbortSignal.timeout(readPatienceMs));
      nowMs = lastMs + 1;
      await assertStale(world, adapter, where);
    },
    undefined,
    () => nowMs,
  );
}

async function assertStale(world: World, adapter: CoreAdapter, where: string): Promise<void> {
  for (const read of world.everyRead) {
    const fault = await faultOf(askAny(adapter, read, world.subjectOf(read)), `${read}, ${where}`);
    assert.equal(fault.kind, 'stale', `${read}, ${where}`);
  }
  const fault = await faultOf(adapter.health(AbortSignal.timeout(readPatienceMs)), `health, ${where}`);
  assert.equal(fault.kind, 'stale', `health, ${where}`);
}

/** Each read of one subject, and the accounts of every customer, as texts. */
async function answersOf(world: World): Promise<string[]> {
  const { adapter, personas, reads } = world;
  const answers: string[] = [];
  for (const { customerRef } of personas) answers.push(textOf({ ...(await adapter.accounts(contextOf(customerRef))) }));
  for (const read of reads) {
    const subject: Subject = world.subjectOf(read);
    answers.push(textOf({ ...(await ask(adapter, read, subject)) }));
  }
  return answers;
}
