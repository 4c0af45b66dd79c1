import assert from 'node:assert/strict';
import type { AccountRead } from '../../core-adapter/core.adapter.js';
import type { CoreTime, CoreTransaction } from '../../core-adapter/core.records.js';
import { assertSameRecords, isForeign, leavesOf, same, textOf, timeText } from '../compare.js';
import { msOf } from '../history-model.js';
import type { Subject } from '../reads.js';
import type { World } from '../world.js';
import { answered, itemsOf, withoutUnlistedRecords } from './answers.js';
import { eachLeaf, recordsOf } from './leaves.js';

/** Each account's read has the records of the truth. Members that other clauses check are not compared. */
export function readIsTrue(read: AccountRead) {
  return async (world: World): Promise<void> => {
    world.richest(read);
    needAwkward(world, read);
    for (const [subject, snapshot] of await world.everything()) {
      const expected = subject.truth[read] ?? [];
      // Another clause checks empty lists.
      if (expected.length === 0) continue;
      const found = answered(snapshot, read, subject);
      const where = `${read} of account ${subject.accountRef} for ${subject.customerRef}`;
      same(found.bad, [], `${where}: bad records`);
      assertSameRecords(expected, withoutUnlistedRecords(read, subject, found.items), where);
    }
  };
}

/** A page of the core by default has no more. */
const longList = 50;
const listReads: readonly AccountRead[] = ['scheduledPayments', 'beneficiaries', 'directDebits', 'standingOrders'];
const fiveYearsMs = 5 * 365 * 86_400_000;

/** The records that adapters have cut off, omitted as old, or taken for one. */
function needAwkward(world: World, read: AccountRead): void {
  const need = (what: string, isFound: (records: readonly object[]) => boolean): void =>
    void world.need(what, ({ truth }) => truth.account.permitted && isFound(truth[read] ?? []));
  if (listReads.includes(read)) need(`account with more than ${longList} ${read}`, (rows) => rows.length > longList);
  if (read !== 'transactions') return;
  const purchaseOf = ({ id: _, runningBalance: __, ...rest }: CoreTransaction): string => textOf(rest);
  need(
    'account with two transactions that differ in nothing but their ids',
    (rows) => new Set((rows as readonly CoreTransaction[]).map(purchaseOf)).size < rows.length,
  );
  const long = Date.now() - fiveYearsMs;
  need('transaction of more than five years ago', (rows) =>
    (rows as readonly CoreTransaction[]).some(({ at }) => msOf(at) < long),
  );
}

export async function emptyIsEmpty(world: World): Promise<void> {
  // Every account has balances, and every customer is a party.
  const lists = world.reads.filter((read) => read !== 'balances' && read !== 'party' && read !== 'product');
  for (const read of lists) {
    const isEmpty = ({ truth }: Subject): boolean => truth[read]?.length === 0;
    world.need(`account without any ${read}`, isEmpty);
    for (const [subject, snapshot] of await world.everything()) {
      if (!isEmpty(subject)) continue;
      const { items, bad } = answered(snapshot, read, subject);
      same([withoutUnlistedRecords(read, subject, items), bad], [[], []], `${read} of account ${subject.accountRef}`);
    }
  }
}

export async function domesticOnly(world: World): Promise<void> {
  for (const read of (['scheduledPayments', 'standingOrders'] as const).filter((one) => world.has(one))) {
    let foreign = 0;
    for (const [subject, snapshot] of await world.everything()) {
      const international = subject.truth.international ?? [];
      if (international.length === 0) continue;
      foreign += international.length;
      const items = answered(snapshot, read, subject).items as readonly { id: string }[];
      same(
        items.map(({ id }) => id).filter((id) => international.includes(id)),
        [],
        `international ${read} of account ${subject.accountRef}`,
      );
    }
    assert.ok(foreign > 0, 'the truth names no international record: put their ids into `international`');
  }
}

export async function latestStatementOnly(world: World): Promise<void> {
  world.need('account with earlier statements', ({ truth }) => (truth.earlierStatements?.length ?? 0) > 0);
  for (const [subject, snapshot] of await world.everything()) {
    const { earlierStatements = [] } = subject.truth;
    const items =
      earlierStatements.length > 0 ? answered(snapshot, 'statements', subject).items : itemsOf(snapshot, 'statements');
    assert.ok(items.length <= 1, `account ${subject.accountRef}: ${items.length} statements`);
    const earlier = new Set(earlierStatements.map(timeText));
    for (const item of items)
      assert.ok(
        !earlier.has(timeText((item as { endAt: CoreTime }).endAt)),
        `account ${subject.accountRef}: an earlier statement`,
      );
  }
}

/** Texts that adapters have cut, folded or lost. */
const awkwardTexts: Readonly<Record<string, (text: string) => boolean>> = {
  'of more than 70 characters, with letters beyond ASCII': (text) => text.length > 70,
  'that Unicode’s compatible normalisation would change, such as ﬁ': (text) => text.normalize('NFKC') !== text,
  'with a character beyond U+FFFF, such as 𠮷': (text) => /[\u{10000}-\u{10ffff}]/u.test(text),
};

export async function scriptsAreTrue(world: World): Promise<void> {
  world.need('record with a name or text in letters beyond ASCII', ({ truth }) =>
    recordsOf(truth).some(([, records]) => records.some((record) => leavesOf(record).scripts.length > 0)),
  );
  for (const [what, fits] of Object.entries(awkwardTexts))
    world.need(`record with a name or text ${what}`, ({ truth }) =>
      recordsOf(truth).some(([, records]) =>
        records.some((record) => leavesOf(record).scripts.some(({ value }) => fits(value))),
      ),
    );
  await eachLeaf(world, 'scripts', {
    about: 'name or text',
    check: ({ expected, actual, where }) => {
      assert.ok(isForeign(actual));
      assert.equal(actual, expected, where);
    },
  });
}
