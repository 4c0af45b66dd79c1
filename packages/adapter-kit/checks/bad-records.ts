import assert from 'node:assert/strict';
import type { BadRecord, CoreAdapter, CoreItems } from '../../core-adapter/core.adapter.js';
import type { CoreTransaction } from '../../core-adapter/core.records.js';
import { type CoreError, isCoreError } from '../../core-adapter/core-error.js';
import { same, textOf, timeText } from '../compare.js';
import { isError } from '../is-error.js';
import type { CoreAnswer, InjectedFault } from '../core-proxy.js';
import { isRecord, jsonOf, sourceOf, type Spoil, spoilOf, spoilt, whileSpoilt, withJson } from '../spoil.js';
import { ask, askAny, type ListRead, type Subject } from '../reads.js';
import type { World } from '../world.js';

interface SpoiltRead {
  readonly read: ListRead;
  readonly subject: Subject;
  readonly spoil: Spoil;
}

/** Each read whose records come in a list of at least two and can be spoilt. */
async function listReads(world: World): Promise<SpoiltRead[]> {
  const found: SpoiltRead[] = [];
  for (const read of ['accounts', ...world.reads] satisfies ListRead[]) {
    const subject = read === 'accounts' ? mostAccounts(world) : world.richest(read);
    if (read !== 'accounts' && (subject.truth[read]?.length ?? 0) < 2) continue;
    const spoil = await spoilOf(world, read, subject);
    if (spoil !== undefined) found.push({ read, subject, spoil });
  }
  assert.ok(
    found.length > 0,
    'no answer of the core has a list of two records or more: give a customer more of them, say where they are in ' +
      '`faults.records`, or give a test core that does not speak HTTP `spoil`',
  );
  return found;
}

function mostAccounts(world: World): Subject {
  const [most] = world.personas.toSorted((a, b) => b.accountRefs.length - a.accountRefs.length);
  return world.need('account', ({ customerRef }) => customerRef === most?.customerRef);
}

export async function oneBadAmongGood(world: World): Promise<void> {
  for (const { read, subject, spoil } of await listReads(world)) {
    const good = (await askAny(world.adapter, read, subject)) as CoreItems<object>;
    const where = `${read} of ${subject.accountRef}, one record of the core unreadable`;
    const found = await spoil('one', () => attempt(world, read, subject));
    if (isCoreError(found)) assert.fail(`${where}: the whole read failed (${found.message})`);
    assert.equal(found.bad.length, 1, `${where}: bad records`);
    assertNamed(found.bad, where);
    const before = new Set(good.items.map(textOf));
    same(
      found.items.map(textOf).filter((text) => !before.has(text)),
      [],
      `${where}: records that were not there before`,
    );
    assert.ok(
      found.items.length >= good.items.length - 1,
      `${where}: ${found.items.length} of ${good.items.length} records`,
    );
  }
}

export async function allBadIsNoList(world: World): Promise<void> {
  await loneRecordsAreBad(world);
  for (const { read, subject, spoil } of await listReads(world)) {
    const where = `${read} of ${subject.accountRef}, every record of the core unreadable`;
    const found = await spoil('all', () => attempt(world, read, subject));
    if (isCoreError(found)) {
      assert.equal(found.kind, 'bad-record', where);
      continue;
    }
    same(found.items, [], where);
    assert.ok(found.bad.length > 0, `${where}: an empty list, as if the core had no records`);
    assertNamed(found.bad, where);
  }
}

/** A party or a product is not a list. The account in the same answer stays valid. */
async function loneRecordsAreBad(world: World): Promise<void> {
  if (!world.isOverHttp) return;
  for (const read of (['party', 'product'] as const).filter((one) => world.has(one)))
    // A new adapter, which has no answer yet.
    await world.with((adapter) => loneRecordIsBad(world, adapter, read));
}

async function loneRecordIsBad(world: World, adapter: CoreAdapter, read: 'party' | 'product'): Promise<void> {
  const subject = world.richest(read);
  const texts = Object.values(subject.truth[read]?.[0] ?? {}).filter((value) => typeof value === 'string');
  let found = 0;
  const inject = (): InjectedFault => ({
    kind: 'replace',
    by: (answer) => {
      const json = jsonOf(answer);
      found += spoilRecordsOf(json, texts, subject.accountRef);
      return json === undefined ? answer : withJson(answer, json);
    },
  });
  const onAnswer = (_: string, answer: CoreAnswer): void =>
    void (found += spoilRecordsOf(jsonOf(answer), texts, subject.accountRef));
  const good = (await world.under({ onAnswer }, () => askAny(adapter, read, subject))) as CoreItems<object>;
  // It comes with the account, or is made of it.
  if (found === 0) return;
  found = 0;
  const bad = await world.under({ inject }, () => attempt({ adapter }, read, subject));
  const where = `${read} of ${subject.accountRef}, its record of the core unreadable`;
  assert.ok(found > 0, `${where}: the core was not asked for it again: keep no record between reads`);
  if (isCoreError(bad)) return;
  assert.ok(bad.bad.length > 0, `${where}: ${bad.items.length} records, and none is named as bad`);
  assert.ok(bad.items.length < good.items.length, `${where}: the adapter still gives the record`);
  assertNamed(bad.bad, where);
}

/** Spoils, in place, each record that has one of the texts and is not about the account. @returns how many */
function spoilRecordsOf(value: unknown, texts: readonly string[], accountRef: string): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Object.values(value).map(String);
  if (isRecord(value) && own.some((text) => texts.includes(text)) && !own.includes(accountRef)) {
    Object.assign(value, spoilt(value));
    return 1;
  }
  return Object.values(value)
    .map((inner) => spoilRecordsOf(inner, texts, accountRef))
    .reduce((sum, count) => sum + count, 0);
}

/** A transaction that has lost its time is a bad record: no other time replaces it, in it or in another row. */
export async function undatableIsBad(world: World): Promise<void> {
  const subject = world.richest('transactions');
  const good = (await ask(world.adapter, 'transactions', subject)).items as readonly CoreTransaction[];
  const before = timesOf(good);
  let undatable = 0;
  for (const { without, found } of await undated(world, subject)) {
    // The clause about one bad record checks a fault of the whole read.
    if (isCoreError(found)) {
      undatable++;
      continue;
    }
    undatable += found.bad.length;
    const where = `transactions of ${subject.accountRef}, one of them without ${without}`;
    for (const [id, time] of timesOf(found.items as readonly CoreTransaction[]))
      if (before.has(id)) assert.equal(time, before.get(id), `${where}: it has another time`);
  }
  assert.ok(undatable > 0, `transactions of ${subject.accountRef}: none without its time or its id is named as bad`);
}

type UndatedAnswer = { readonly without: string; readonly found: CoreItems<object> | CoreError };

/** Over HTTP field by field, because only the adapter knows which of them is the time. */
async function undated(world: World, subject: Subject): Promise<UndatedAnswer[]> {
  const { spoil } = world.core;
  const read = (): Promise<CoreItems<object> | CoreError> => attempt(world, 'transactions', subject);
  if (!world.isOverHttp && spoil !== undefined)
    return [{ without: 'its time', found: await whileSpoilt(spoil, 'undated', 'transactions', subject, read) }];
  const source = await sourceOf(world, 'transactions', subject);
  assert.ok(
    source,
    `account ${subject.accountRef}: the core’s answer has no list of two transactions: see \`faults.records\``,
  );
  const record = source.records[1];
  assert.ok(isRecord(record));
  const found: UndatedAnswer[] = [];
  for (const field of Object.keys(record)) {
    const rules = source.change((records) => {
      delete (records[1] as Record<string, unknown>)[field];
    });
    found.push({ without: `its field ${JSON.stringify(field)}`, found: await world.under(rules, read) });
  }
  return found;
}

function timesOf(rows: readonly CoreTransaction[]): Map<string, string> {
  return new Map(rows.map(({ id, at }) => [id, timeText(at)]));
}

async function attempt(
  { adapter }: Pick<World, 'adapter'>,
  read: ListRead,
  subject: Subject,
): Promise<CoreItems<object> | CoreError> {
  try {
    return (await askAny(adapter, read, subject)) as CoreItems<object>;
  } catch (error) {
    if (isCoreError(error)) return error;
    assert.fail(
      `${read} of ${subject.accountRef}, a record of the core unreadable: threw ${isError(error) ? error.name : typeof error} ` +
        'where only CoreError may be thrown',
    );
  }
}

function assertNamed(bad: readonly BadRecord[], where: string): void {
  for (const { where: record, fault } of bad)
    assert.ok(record.trim() !== '' && fault.trim() !== '', `${where}: a bad record without its place or fault`);
}
