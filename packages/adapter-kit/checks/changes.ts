import assert from 'node:assert/strict';
import type { CoreBalance } from '../../core-adapter/core.records.js';
import { moneyText } from '../compare.js';
import { ask, contextOf, type Subject } from '../reads.js';
import type { World } from '../world.js';

/** The gateway keeps no data of the core, and an adapter must not either: a blocked account would stay readable. */
export async function changesAreRead(world: World): Promise<void> {
  world.need('account', ({ truth }) => truth.account.permitted);
  await world.elsewhere({}, async (there) => {
    const { change } = there.core;
    assert.ok(change, 'the test core cannot change an account: give it `change`, or say in `without` why it has none');
    const subject = there.has('balances')
      ? there.richest('balances')
      : there.need('account', ({ truth }) => truth.account.permitted);
    const { customerRef, accountRef } = subject;
    assert.deepStrictEqual(new Set((await statesOf(there, subject)).values()), new Set([true]), 'permitted at first');
    if (there.has('balances')) {
      const before = await bookedOf(there, subject);
      await change('balance', customerRef, accountRef);
      assert.notEqual(await bookedOf(there, subject), before, `the balance of account ${accountRef} after a change`);
    }
    await change('access', customerRef, accountRef);
    for (const [read, permitted] of await statesOf(there, subject))
      assert.equal(permitted, false, `permitted, as ${read} of account ${accountRef} says after access has ended`);
  });
}

/** The state of the account, as each read says it. */
async function statesOf(
  { adapter, reads }: World,
  subject: Subject,
): Promise<ReadonlyMap<string, boolean | undefined>> {
  const { customerRef, accountRef } = subject;
  const { items } = await adapter.accounts(contextOf(customerRef));
  const states = new Map([['accounts', items.find(({ ref }) => ref === accountRef)?.permitted]]);
  states.set('account', (await adapter.account(accountRef, contextOf(customerRef))).permitted);
  for (const read of reads) states.set(read, (await ask(adapter, read, subject)).account.permitted);
  return states;
}

async function bookedOf({ adapter }: World, subject: Subject): Promise<string | undefined> {
  const { items } = await ask(adapter, 'balances', subject);
  const booked = (items as readonly CoreBalance[]).find(({ kind }) => kind === 'booked');
  return booked && moneyText(booked.amount);
}
