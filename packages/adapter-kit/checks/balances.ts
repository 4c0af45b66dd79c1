import assert from 'node:assert/strict';
import type { CoreBalance, CoreMoney } from '../../core-adapter/core.records.js';
import { leavesOf, moneyText, pairs } from '../compare.js';
import type { Subject } from '../reads.js';
import type { World } from '../world.js';
import { itemsOf } from './answers.js';
import { assertRead, eachLeaf, recordsOf } from './leaves.js';

/** An adapter takes each from another field of the core, and may lose the sign of one of them. */
const kinds: Readonly<Record<string, (truth: Subject['truth']) => readonly (CoreMoney | undefined)[]>> = {
  'booked balance': ({ balances }) => amountsOf(balances, 'booked'),
  'available balance': ({ balances }) => amountsOf(balances, 'available'),
  'running balance': ({ transactions = [] }) => transactions.map(({ runningBalance }) => runningBalance),
  'closing balance of a statement': ({ statements = [] }) => statements.map(({ closingBalance }) => closingBalance),
};

function amountsOf(balances: readonly CoreBalance[] = [], wanted: CoreBalance['kind']): CoreMoney[] {
  return balances.filter(({ kind }) => kind === wanted).map(({ amount }) => amount);
}

export async function debtsAreNegative(world: World): Promise<void> {
  world.need('balance', ({ truth }) => Object.values(kinds).some((amounts) => amounts(truth).length > 0));
  for (const [kind, amounts] of Object.entries(kinds))
    if (world.subjects.some(({ truth }) => amounts(truth).some((amount) => amount !== undefined)))
      world.need(`${kind} below zero`, ({ truth }) =>
        amounts(truth).some((amount) => amount !== undefined && amount.minorUnits < 0n),
      );
  await eachLeaf(world, 'money', {
    about: 'balance below zero',
    // Another clause checks the amounts of transactions.
    concerns: ({ read, expected, where }) =>
      expected.minorUnits < 0n && (read === 'balances' || !where.endsWith('.amount')),
    check: ({ expected, actual, where }) =>
      assert.ok(
        actual.minorUnits < 0n,
        `${where}: is ${moneyText(actual)} and must be ${moneyText(expected)}: keep the sign of the core’s amount, or take it from the field that has it`,
      ),
  });
}

export async function zerosAreGiven(world: World): Promise<void> {
  world.need('credit limit of zero', ({ truth }) =>
    (truth.balances ?? []).some(({ creditLimit }) => creditLimit?.minorUnits === 0n),
  );
  const minimums = ({ truth }: Subject): readonly (CoreMoney | undefined)[] =>
    (truth.statements ?? []).map(({ minimumPayment }) => minimumPayment);
  if (world.subjects.some((subject) => minimums(subject).some((amount) => amount !== undefined)))
    world.need('minimum payment of zero', (subject) => minimums(subject).some((amount) => amount?.minorUnits === 0n));
  world.need('available balance without a credit limit', ({ truth }) =>
    (truth.balances ?? []).some(({ kind, creditLimit }) => kind === 'available' && creditLimit === undefined),
  );
  let checked = 0;
  for (const [subject, snapshot] of await world.everything())
    for (const [read, truth] of recordsOf(subject.truth))
      for (const { expected, actual } of read === 'account' ? [] : pairs(truth, itemsOf(snapshot, read))) {
        const given = new Set(leavesOf(actual).money.map(({ path }) => path));
        for (const { path, value } of leavesOf(expected).money) {
          if (value.minorUnits !== 0n) continue;
          checked++;
          assert.ok(
            given.has(path),
            `${read} of account ${subject.accountRef}: ${path} is missing where the core has ${moneyText(value)}: zero is an amount`,
          );
        }
      }
  assertRead(checked, 'amount of zero');
}
