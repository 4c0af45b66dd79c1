import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { CoreItems } from '../../core-adapter/core.adapter.js';
import { CoreError, isCoreError } from '../../core-adapter/core-error.js';
import { leavesOf, same } from '../compare.js';
import type { CoreAnswer, InjectedFault } from '../core-proxy.js';
import { type AnyAnswer, type AnyRead, askAny } from '../reads.js';
import { isRecord, jsonOf, withJson } from '../spoil.js';
import { injectedFaults } from '../injected-faults.js';
import type { World } from '../world.js';
import { isOfKind, type Outcome, checkReadsUnder } from './faults.js';

export async function wrongTypesAreBad(world: World): Promise<void> {
  const injected = injectedFaults['wrong types'];
  const reads = world.everyRead.filter((read) => read !== 'accounts');
  await checkReadsUnder(world, injected, isOfKind('bad-record'), reads, failingWhereAllAreNamed);
  // In a list, each record may be bad by itself.
  await world.under({ inject: () => injected }, async () => {
    let found: CoreItems<object>;
    try {
      found = (await askAny(world.adapter, 'accounts', world.subjectOf('accounts'))) as CoreItems<object>;
    } catch (error) {
      assert.ok(isCoreError(error) && error.kind === 'bad-record', `accounts: ${inspect(error)}`);
      return;
    }
    same(found.items, [], 'accounts, every value of a wrong type');
    assert.ok(
      found.bad.length > 0,
      'accounts, every value of a wrong type: an empty list, as if the core had no records',
    );
  });
  for (const read of world.everyRead) {
    await listsAreNeeded(world, read);
    await nullsAreAbsent(world, read);
  }
}

const noValue = /(^|\W)(null|undefined|NaN|\[object Object\])(\W|$)/;

/** Each field of the core’s answers becomes null, in every record at once: that is neither a text nor zero. */
async function nullsAreAbsent(world: World, read: AnyRead): Promise<void> {
  const subject = world.subjectOf(read);
  const names = new Set<string>();
  const onAnswer = (_: string, answer: CoreAnswer): void =>
    eachField(jsonOf(answer), (_, name) => void names.add(name));
  await world.under({ onAnswer }, () => askAny(world.adapter, read, subject));
  for (const name of names) {
    const inject = (): InjectedFault => ({ kind: 'replace', by: (answer) => withNulls(answer, name) });
    let found: AnyAnswer;
    try {
      found = await world.under({ inject }, () => askAny(world.adapter, read, subject));
    } catch (error) {
      assert.ok(isCoreError(error), `${read}, ${name} null: threw ${inspect(error)}`);
      continue;
    }
    const texts = ('items' in found ? found.items : [found]).flatMap((record) => leavesOf(record).plain);
    for (const { path, value } of texts)
      assert.ok(
        !noValue.test(value),
        `${read}, null in the core’s field ${JSON.stringify(name)}: ${path} is the text ${value}, where it has to be absent`,
      );
  }
}

function withNulls(answer: CoreAnswer, name: string): CoreAnswer {
  const json = jsonOf(answer);
  if (json === undefined) return answer;
  eachField(json, (record, field) => {
    if (field === name) record[field] = null;
  });
  return withJson(answer, json);
}

/** Each member of a record that is not a record or list. */
function eachField(value: unknown, use: (record: Record<string, unknown>, name: string) => void): void {
  if (Array.isArray(value)) for (const one of value) eachField(one, use);
  if (!isRecord(value)) return;
  for (const [name, inner] of Object.entries(value))
    if (typeof inner === 'object' && inner !== null) eachField(inner, use);
    else use(value, name);
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
  await checkReadsUnder(
    world,
    injectedFaults['texts in place of lists'],
    isOfKind('bad-record'),
    [read],
    failingWhereItIsNotUsed,
    fault,
  );
}

/** An adapter that reads the account in another call than the records can name every record as bad instead of failing. */
async function failingWhereAllAreNamed(answer: Promise<AnyAnswer>): Promise<unknown> {
  const found = await answer;
  if ('items' in found && found.items.length === 0 && found.bad.length > 0)
    throw new CoreError('bad-record', 'every record is bad');
  return found;
}
