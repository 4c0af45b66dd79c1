import assert from 'node:assert/strict';
import type { AccountRead, CoreRead } from '../../core-adapter/core.adapter.js';
import type { CoreMoney, CoreTime, CoreTransaction } from '../../core-adapter/core.records.js';
import { assertSameRecords, isForeign, type Leaf, leavesOf, moneyText, pairs, same, timeText } from '../compare.js';
import { compare, msOf, positionOf } from '../history-model.js';
import { largeHistory, type Snapshot, type Subject, type World } from '../world.js';

/** The read of every account has the records of the truth, as far as no other clause judges it. */
export function readIsTrue(read: AccountRead) {
  return async (world: World): Promise<void> => {
    world.richest(read);
    for (const [subject, snapshot] of await world.everything()) {
      const expected = truthOf(subject, read);
      // What is empty has its own clause.
      if (expected === undefined || expected.length === 0) continue;
      const found = answered(snapshot, read, subject);
      const where = `${read} of account ${subject.accountRef} for ${subject.customerRef}`;
      same(found.bad, [], `${where}: bad records`);
      assertSameRecords(expected, withoutOthersBusiness(read, subject, found.items), where);
    }
  };
}

/** International records and earlier statements have clauses of their own. */
function withoutOthersBusiness(read: AccountRead, { truth }: Subject, items: readonly object[]): readonly object[] {
  if (read === 'statements') {
    const ends = new Set((truth.earlierStatements ?? []).map(timeText));
    return items.filter((item) => !ends.has(timeText((item as { endAt: CoreTime }).endAt)));
  }
  if (read === 'scheduledPayments' || read === 'standingOrders')
    return items.filter((item) => !truth.international?.includes((item as { id: string }).id));
  return items;
}

export async function emptyIsEmpty(world: World): Promise<void> {
  // No account is without balances, and whoever asks is a party.
  const lists = world.reads.filter((read) => read !== 'balances' && read !== 'party' && read !== 'product');
  for (const read of lists) {
    const isEmpty = ({ truth }: Subject): boolean => truth[read]?.length === 0;
    world.need(`account without any ${read}`, isEmpty);
    for (const [subject, snapshot] of await world.everything()) {
      if (!isEmpty(subject)) continue;
      const { items, bad } = answered(snapshot, read, subject);
      same([withoutOthersBusiness(read, subject, items), bad], [[], []], `${read} of account ${subject.accountRef}`);
    }
  }
}

const fractionDigits = (currency: string): number | undefined =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;

export async function amountsAreTrue(world: World): Promise<void> {
  await moneyIs(world, ({ currency }) => fractionDigits(currency) === 2);
}

export async function otherDecimalsAreTrue(world: World): Promise<void> {
  for (const digits of [0, 3])
    world.need(
      `account in a currency with ${digits} decimals`,
      ({ truth }) => fractionDigits(truth.account.currency) === digits,
    );
  await moneyIs(world, ({ currency }) => fractionDigits(currency) !== 2);
}

async function moneyIs(world: World, concerns: (truth: CoreMoney) => boolean): Promise<void> {
  let seen = 0;
  await eachLeaf(world, 'money', ({ expected, actual, where }) => {
    if (!concerns(expected)) return;
    seen++;
    // The sign has its own clause.
    const magnitude = ({ minorUnits, currency }: CoreMoney): string =>
      moneyText({ minorUnits: typeof minorUnits === 'bigint' && minorUnits < 0n ? -minorUnits : minorUnits, currency });
    assert.equal(magnitude(actual), magnitude(expected), where);
  });
  assert.ok(seen > 0, 'there is no amount to compare');
}

export async function signsAreTrue(world: World): Promise<void> {
  let seen = 0;
  await eachLeaf(world, 'money', ({ expected, actual, where }) => {
    assert.equal(signOf(actual.minorUnits), signOf(expected.minorUnits), `${where}: its sign`);
    seen++;
  });
  assert.ok(seen > 0, 'there is no amount whose sign could be compared');
  for (const [subject, snapshot] of await world.everything()) {
    const found = snapshot.transactions;
    if (found === undefined || found instanceof Error) continue;
    assertRunning(found.items as readonly CoreTransaction[], `account ${subject.accountRef}`);
  }
}

function signOf(minorUnits: bigint): number {
  return minorUnits < 0n ? -1 : minorUnits > 0n ? 1 : 0;
}

/** Of several at the same instant the core alone knows the order: they are judged together. */
function assertRunning(transactions: readonly CoreTransaction[], where: string): void {
  const booked = transactions
    .filter(({ status }) => status === 'booked')
    .toSorted((a, b) => compare(positionOf(a), positionOf(b)));
  let balance: bigint | undefined;
  for (const group of groupsOf(booked)) {
    const sum = group.reduce((total, { amount }) => total + amount.minorUnits, 0n);
    const after = group.map(({ runningBalance }) => runningBalance?.minorUnits);
    if (after.includes(undefined)) {
      balance = undefined;
      continue;
    }
    const expected: bigint | undefined = balance === undefined ? undefined : balance + sum;
    assert.ok(
      expected === undefined || after.includes(expected),
      `${where}: the running balance at ${timeText((group[0] as CoreTransaction).at)} does not differ from the one before by the amount`,
    );
    // The first of a history has none before it; of several at once, whose order nobody knows, none is certain to be the last.
    balance = expected ?? (group.length === 1 ? after[0] : undefined);
  }
}

function groupsOf(booked: readonly CoreTransaction[]): CoreTransaction[][] {
  const groups: CoreTransaction[][] = [];
  for (const row of booked) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && msOf(last[0].at) === msOf(row.at)) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

type TimeClass = 'leap-day' | 'day' | 'clock-change' | 'instant';

/** Which clause judges a time, by the truth of it. */
function classOf(time: CoreTime): TimeClass {
  const day = time instanceof Date ? londonDay(time) : time.date;
  if (day.slice(5) === '02-29' || (time instanceof Date && time.toISOString().slice(5, 10) === '02-29'))
    return 'leap-day';
  if (!(time instanceof Date)) return 'day';
  return isClockChange(day) ? 'clock-change' : 'instant';
}

const london = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });

function londonDay(time: Date): string {
  return london.format(time);
}

/** The last Sundays of March and of October. */
function isClockChange(day: string): boolean {
  const month = day.slice(5, 7);
  return (
    (month === '03' || month === '10') && Number(day.slice(8)) > 24 && new Date(`${day}T00:00:00Z`).getUTCDay() === 0
  );
}

export function timesAreTrue(...classes: readonly TimeClass[]) {
  return async (world: World): Promise<void> => {
    for (const wanted of classes) {
      const what = {
        'leap-day': 'record of 29 February',
        day: 'record with a day but no time',
        'clock-change': 'record of a day on which London’s clocks change',
        instant: 'record with a time',
      }[wanted];
      world.need(what, ({ truth }) =>
        recordsOf(truth).some(([, records]) =>
          records.some((record) => leavesOf(record).times.some(({ value }) => classOf(value) === wanted)),
        ),
      );
    }
    if (classes.includes('clock-change')) needBothChanges(world);
    await eachLeaf(world, 'times', ({ expected, actual, where, pending }) => {
      // The times of a pending one have their own clause.
      if (pending) return;
      if (classes.includes(classOf(expected))) assert.equal(timeText(actual), timeText(expected), where);
    });
  };
}

function needBothChanges(world: World): void {
  for (const [month, change] of [
    ['03', 'forward'],
    ['10', 'back'],
  ] as const)
    world.need(`transaction of the day on which London’s clocks go ${change}`, ({ truth }) =>
      (truth.transactions ?? []).some(
        ({ at }) => at instanceof Date && classOf(at) === 'clock-change' && londonDay(at).slice(5, 7) === month,
      ),
    );
}

/** The same bank, its core in zones far east, far west, and with half hours. */
export async function zonesDoNotMatter(world: World): Promise<void> {
  world.need('account', () => true);
  for (const timeZone of ['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata'])
    await world.elsewhere({ timeZone }, (there) =>
      eachLeaf(there, 'times', ({ expected, actual, where }) =>
        assert.equal(timeText(actual), timeText(expected), `${where}, with the core in ${timeZone}`),
      ),
    );
}

export async function pendingIsMade(world: World): Promise<void> {
  const isPending = ({ status }: CoreTransaction): boolean => status === 'pending';
  world.need('pending transaction', ({ truth }) => truth.transactions?.some(isPending) === true);
  for (const [subject, snapshot] of await world.everything()) {
    const found = snapshot.transactions;
    if (found === undefined || found instanceof Error) continue;
    const items = found.items as readonly CoreTransaction[];
    const where = (id: string): string => `transaction ${id} of account ${subject.accountRef}`;
    for (const { expected, actual } of pairs((subject.truth.transactions ?? []).filter(isPending), items)) {
      assert.equal(
        timeText(actual.at),
        timeText(expected.at),
        `${where(actual.id)}, pending: \`at\` is the time it was made`,
      );
      if (actual.madeAt !== undefined)
        assert.equal(
          timeText(actual.at),
          timeText(actual.madeAt),
          `${where(actual.id)}, pending: at and madeAt differ`,
        );
    }
    for (const item of items)
      if (item.status === 'booked')
        assert.equal(item.expectedBookingAt, undefined, `${where(item.id)} is booked: nothing is expected of it`);
  }
}

export async function domesticOnly(world: World): Promise<void> {
  for (const read of (['scheduledPayments', 'standingOrders'] as const).filter((one) => world.has(one))) {
    let foreign = 0;
    for (const [subject, snapshot] of await world.everything()) {
      const international = subject.truth.international ?? [];
      foreign += international.length;
      const items = itemsOf(snapshot, read) as readonly { id: string }[];
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
    const items = itemsOf(snapshot, 'statements');
    assert.ok(items.length <= 1, `account ${subject.accountRef}: ${items.length} statements`);
    const earlier = new Set((subject.truth.earlierStatements ?? []).map(timeText));
    for (const item of items)
      assert.ok(
        !earlier.has(timeText((item as { endAt: CoreTime }).endAt)),
        `account ${subject.accountRef}: an earlier statement`,
      );
  }
}

export async function scriptsAreTrue(world: World): Promise<void> {
  world.need('record with a name or text in letters beyond ASCII', ({ truth }) =>
    recordsOf(truth).some(([, records]) => records.some((record) => leavesOf(record).scripts.length > 0)),
  );
  await eachLeaf(world, 'scripts', ({ expected, actual, where }) => {
    assert.ok(isForeign(actual));
    assert.equal(actual, expected, where);
  });
}

interface ComparedLeaf<T> {
  readonly expected: T;
  readonly actual: T;
  readonly where: string;
  readonly pending: boolean;
}

interface LeafTypes {
  money: CoreMoney;
  times: CoreTime;
  scripts: string;
}

/** Each value of one kind that the truth has, with the value in the same place of the answer. */
async function eachLeaf<K extends keyof LeafTypes>(
  world: World,
  kind: K,
  judge: (compared: ComparedLeaf<LeafTypes[K]>) => void,
): Promise<void> {
  for (const [subject, snapshot] of await world.everything()) {
    for (const [read, truth] of recordsOf(subject.truth)) {
      const answer =
        read === 'account' ? accountItems(snapshot) : withoutOthersBusiness(read, subject, itemsOf(snapshot, read));
      for (const { expected, actual } of pairs(truth, answer)) {
        const found = new Map((leavesOf(actual)[kind] as Leaf<LeafTypes[K]>[]).map(({ path, value }) => [path, value]));
        for (const { path, value } of leavesOf(expected)[kind] as Leaf<LeafTypes[K]>[]) {
          const there = found.get(path);
          const where = `${read} of account ${subject.accountRef}: ${idOf(expected)}.${path}`;
          // That it is there at all is judged with the record; a script that came out as ASCII is no script any longer.
          if (there === undefined && kind !== 'scripts') continue;
          assert.ok(there !== undefined, `${where}: the text in another script is not there`);
          judge({
            expected: value,
            actual: there,
            where,
            pending: 'status' in expected && expected.status === 'pending',
          });
        }
      }
    }
  }
}

function idOf(record: object): string {
  const { id, kind } = record as { id?: string; kind?: string };
  return id ?? kind ?? '';
}

function recordsOf(truth: Subject['truth']): [AccountRead | 'account', readonly object[]][] {
  const { account, international: _, earlierStatements: __, ...reads } = truth;
  return [
    ['account', [account]],
    ...(Object.entries(reads) as [AccountRead, readonly object[]][]).filter(
      ([read, records]) => read !== 'transactions' || records.length <= largeHistory,
    ),
  ];
}

function accountItems({ account }: Snapshot): readonly object[] {
  return account instanceof Error ? [] : [account];
}

function itemsOf(snapshot: Snapshot, read: AccountRead): readonly object[] {
  const found = snapshot[read];
  return found === undefined || found instanceof Error ? [] : found.items;
}

function truthOf({ truth }: Subject, read: AccountRead): readonly object[] | undefined {
  const expected = truth[read];
  return read === 'transactions' && (expected?.length ?? 0) > largeHistory ? undefined : (expected ?? []);
}

function answered(snapshot: Snapshot, read: AccountRead, { accountRef }: Subject): CoreRead<object> {
  const found = snapshot[read];
  assert.ok(found !== undefined, `the adapter has no read ${read}`);
  if (found instanceof Error) assert.fail(`${read} of account ${accountRef}: ${found.message}`);
  return found;
}
