import assert from 'node:assert/strict';
import type { BadRecord, CoreItems } from '../../core-adapter/core.adapter.js';
import type { CoreAccount, CoreTransaction } from '../../core-adapter/core.records.js';
import { CoreError } from '../../core-adapter/core-error.js';
import { same, textOf, timeText } from '../compare.js';
import { isRecord, type RecordSource, sourceOf, spoilt } from '../spoil.js';
import { type AnyRead, ask, askAny, type Subject } from '../reads.js';
import type { World } from '../world.js';

/** Each read whose records come in a list of at least two, with where they come from. */
async function listReads(world: World): Promise<{ read: AnyRead; subject: Subject; source: RecordSource }[]> {
  const found: { read: AnyRead; subject: Subject; source: RecordSource }[] = [];
  for (const read of ['accounts', ...world.reads] satisfies AnyRead[]) {
    const subject = read === 'accounts' ? mostAccounts(world) : world.richest(read);
    if (read !== 'accounts' && (subject.truth[read]?.length ?? 0) < 2) continue;
    const source = await sourceOf(world, read, subject);
    if (source !== undefined) found.push({ read, subject, source });
  }
  assert.ok(
    found.length > 0,
    'no answer of the core has a list of two records or more: give a customer more of them, or tell the kit where they are in `faults.records`',
  );
  return found;
}

function mostAccounts(world: World): Subject {
  const [most] = world.personas.toSorted((a, b) => b.accountRefs.length - a.accountRefs.length);
  return world.need('account', ({ customerRef }) => customerRef === most?.customerRef);
}

export async function oneBadAmongGood(world: World): Promise<void> {
  for (const { read, subject, source } of await listReads(world)) {
    const good = (await askAny(world.adapter, read, subject)) as CoreItems<object>;
    const where = `${read} of ${subject.accountRef}, one record of the core’s ${source.records.length} unreadable`;
    const found = await attempt(
      world,
      read,
      subject,
      source.change((records) => void (records[1] = spoilt(records[1]))),
    );
    if (found instanceof CoreError) assert.fail(`${where}: the whole read failed (${found.message})`);
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
  for (const { read, subject, source } of await listReads(world)) {
    const where = `${read} of ${subject.accountRef}, every record of the core unreadable`;
    const found = await attempt(
      world,
      read,
      subject,
      source.change((records) => records.splice(0, records.length, ...records.map(spoilt))),
    );
    if (found instanceof CoreError) {
      assert.equal(found.kind, 'bad-record', where);
      continue;
    }
    same(found.items, [], where);
    assert.ok(found.bad.length > 0, `${where}: an empty list, as if there were none`);
    assertNamed(found.bad, where);
  }
}

/** Field by field: without it the row is the same but for what it said, or it is bad. Its time is never another. */
export async function undatableIsBad(world: World): Promise<void> {
  const subject = world.richest('transactions');
  const source = await sourceOf(world, 'transactions', subject);
  assert.ok(
    source,
    `account ${subject.accountRef}: the core’s answer has no list of two transactions: see \`faults.records\``,
  );
  const good = (await ask(world.adapter, 'transactions', subject)).items as readonly CoreTransaction[];
  const timesOf = (rows: readonly CoreTransaction[]): Map<string, string> =>
    new Map(rows.map(({ id, at }) => [id, timeText(at)]));
  const before = timesOf(good);
  const record = source.records[1];
  assert.ok(isRecord(record));
  let undatable = 0;
  for (const field of Object.keys(record)) {
    const where = `transactions of ${subject.accountRef}, one of them without its field ${JSON.stringify(field)}`;
    const found = await attempt(
      world,
      'transactions',
      subject,
      source.change((records) => {
        delete (records[1] as Record<string, unknown>)[field];
      }),
    );
    // A fault of the whole read is judged where one bad record is.
    if (found instanceof CoreError) {
      undatable++;
      continue;
    }
    undatable += found.bad.length;
    for (const [id, time] of timesOf(found.items as readonly CoreTransaction[]))
      if (before.has(id)) assert.equal(time, before.get(id), `${where}: it has another time`);
  }
  assert.ok(undatable > 0, `transactions of ${subject.accountRef}: whichever field is missing, none is a bad record`);
}

async function attempt(
  world: World,
  read: AnyRead,
  subject: Subject,
  rules: Parameters<World['under']>[0],
): Promise<CoreItems<object> | CoreError> {
  return world.under(rules, async () => {
    try {
      const found: CoreItems<object> | CoreAccount = await askAny(world.adapter, read, subject);
      return found as CoreItems<object>;
    } catch (error) {
      if (error instanceof CoreError) return error;
      throw error;
    }
  });
}

function assertNamed(bad: readonly BadRecord[], where: string): void {
  for (const { where: place, fault } of bad)
    assert.ok(place.trim() !== '' && fault.trim() !== '', `${where}: a bad record without its place or fault`);
}
