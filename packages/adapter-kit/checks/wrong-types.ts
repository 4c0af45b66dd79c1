import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { CoreItems } from '../../core-adapter/core.adapter.js';
import { CoreError } from '../../core-adapter/core-error.js';
import type { CoreAccount } from '../../core-adapter/core.records.js';
import { same } from '../compare.js';
import { type AnyRead, askAny } from '../reads.js';
import { strikes } from '../strikes.js';
import type { World } from '../world.js';
import { is, type Outcome, struck } from './faults.js';

export async function wrongTypesAreBad(world: World): Promise<void> {
  const strike = strikes['wrong types'];
  await struck(world, strike, is('bad-record'), ['account', ...world.reads], failingWhereAllAreNamed);
  // In a list, each record may be bad by itself.
  await world.under({ strike: () => strike }, async () => {
    let found: CoreItems<object>;
    try {
      found = (await askAny(world.adapter, 'accounts', world.subjectOf('accounts'))) as CoreItems<object>;
    } catch (error) {
      assert.ok(error instanceof CoreError && error.kind === 'bad-record', `accounts: ${inspect(error)}`);
      return;
    }
    same(found.items, [], 'accounts, every value of a wrong type');
    assert.ok(
      found.bad.length > 0,
      'accounts, every value of a wrong type: an empty list, as if the core had no records',
    );
  });
  for (const read of world.everyRead) await listsAreNeeded(world, read);
}

/** A read that has lost a list fails, unless it answers as before because it does not use the list. */
async function listsAreNeeded(world: World, read: AnyRead): Promise<void> {
  const before = inspect(await askAny(world.adapter, read, world.subjectOf(read)), { depth: null });
  const failingWhereItIsNotUsed: Outcome = async (answer) => {
    const found = await failingWhereAllAreNamed(answer);
    if (inspect(found, { depth: null }) === before) throw new CoreError('bad-record', 'the read does not use the list');
    return found;
  };
  const fault = 'a text in place of each list';
  await struck(world, strikes['texts in place of lists'], is('bad-record'), [read], failingWhereItIsNotUsed, fault);
}

/** An adapter that reads the account in another call than the records can name every record as bad instead of failing. */
async function failingWhereAllAreNamed(answer: Promise<CoreItems<object> | CoreAccount>): Promise<unknown> {
  const found = await answer;
  if ('items' in found && found.items.length === 0 && found.bad.length > 0)
    throw new CoreError('bad-record', 'every record is bad');
  return found;
}
