import assert from 'node:assert/strict';
import type { AccountRead } from '../../core-adapter/core.adapter.js';
import type { CoreMoney, CoreTransaction } from '../../core-adapter/core.records.js';
import { leavesOf, moneyText, timeText } from '../compare.js';
import { compare, msOf, positionOf } from '../history-model.js';
import type { World } from '../world.js';
import { type ComparedLeaf, eachLeaf, recordsOf } from './leaves.js';

/** Kept: the clauses ask for each amount, and to make a format takes longer than to compare one. */
const digitsOf = new Map<string, number | undefined>();

function fractionDigits(currency: string): number | undefined {
  if (!digitsOf.has(currency)) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    digitsOf.set(currency, format.resolvedOptions().maximumFractionDigits);
  }
  return digitsOf.get(currency);
}

/** Reads of payments that are still to come, whose amounts another clause checks. */
const planned: readonly string[] = ['scheduledPayments', 'standingOrders'] satisfies AccountRead[];

export async function amountsAreTrue(world: World): Promise<void> {
  world.need('amount that a 32-bit float cannot hold, such as 1,234,567.89', ({ truth }) =>
    recordsOf(truth).some(([, records]) =>
      records.some((record) =>
        leavesOf(record).money.some(({ value }) => Math.fround(Number(value.minorUnits)) !== Number(value.minorUnits)),
      ),
    ),
  );
  await moneyIs(world, ({ expected }) => fractionDigits(expected.currency) === 2);
}

export async function otherDecimalsAreTrue(world: World): Promise<void> {
  for (const digits of [0, 3])
    world.need(
      `account in a currency with ${digits} decimals`,
      ({ truth }) => fractionDigits(truth.account.currency) === digits,
    );
  await moneyIs(world, ({ read, expected }) => !planned.includes(read) && fractionDigits(expected.currency) !== 2);
}

export async function plannedAmountsAreTrue(world: World): Promise<void> {
  for (const read of ['scheduledPayments', 'standingOrders'] as const)
    for (const digits of [0, 3])
      if (world.has(read))
        world.need(`account with ${read} in a currency with ${digits} decimals`, ({ truth }) =>
          (truth[read] ?? []).some((record) =>
            leavesOf(record).money.some(({ value }) => fractionDigits(value.currency) === digits),
          ),
        );
  await moneyIs(world, ({ read, expected }) => planned.includes(read) && fractionDigits(expected.currency) !== 2);
}

/** Each amount that the truth has in a currency with two decimals must be in it in another as well. */
export async function everyAmountIsTrue(world: World): Promise<void> {
  const [withTwo, withOthers] = [new Set<string>(), new Set<string>()];
  for (const { truth } of world.subjects)
    for (const [read, records] of recordsOf(truth)) {
      if (planned.includes(read)) continue;
      for (const { path, value } of records.flatMap((record) => leavesOf(record).money))
        (fractionDigits(value.currency) === 2 ? withTwo : withOthers).add(`${read}.${path}`);
    }
  const missing = [...withTwo].filter((path) => !withOthers.has(path));
  assert.ok(
    missing.length === 0,
    `the truth has no ${missing.join(', no ')} in a currency without two decimals: give the test core one and state it in ` +
      'truth, or say in `without` why there cannot be one',
  );
  await moneyIs(world, ({ read, expected }) => !planned.includes(read) && fractionDigits(expected.currency) !== 2);
}

async function moneyIs(world: World, concerns: (compared: ComparedLeaf<CoreMoney>) => boolean): Promise<void> {
  // The sign has its own clause.
  const magnitude = ({ minorUnits, currency }: CoreMoney): string =>
    moneyText({ minorUnits: typeof minorUnits === 'bigint' && minorUnits < 0n ? -minorUnits : minorUnits, currency });
  await eachLeaf(world, 'money', {
    about: 'amount',
    concerns,
    check: ({ expected, actual, where }) => assert.equal(magnitude(actual), magnitude(expected), where),
  });
}

export async function signsAreTrue(world: World): Promise<void> {
  await eachLeaf(world, 'money', {
    about: 'amount',
    check: ({ expected, actual, where }) =>
      assert.ok(
        signOf(actual.minorUnits) === signOf(expected.minorUnits),
        `${where}: is ${moneyText(actual)} and must be ${moneyText(expected)}: money out is negative`,
      ),
  });
  for (const [subject, snapshot] of await world.everything()) {
    const found = snapshot.transactions;
    if (found === undefined || found instanceof Error) continue;
    assertRunning(found.items as readonly CoreTransaction[], `account ${subject.accountRef}`);
  }
}

function signOf(minorUnits: bigint): number {
  return minorUnits < 0n ? -1 : minorUnits > 0n ? 1 : 0;
}

/** Only the core knows the order of transactions at the same instant, so they are checked together. */
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
    // The first of a history has no previous balance; the last of several at the same instant is unknown.
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
