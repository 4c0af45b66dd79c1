import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GivenAccount, GivenCustomer } from '../adapter-under-test.js';
import type { CoreBalance, CoreTransaction } from '../../core-adapter/core.records.js';
import { moneyText, timeText } from '../compare.js';
import { planned, queryPlans, type QueryPlan, worlds } from '../generated-worlds.js';
import { select } from '../history-model.js';
import { ask, contextOf, history, type Subject } from '../reads.js';
import type { World } from '../world.js';
import { described, histories } from './history.js';
import { isError } from '../is-error.js';

const worldsInAll = 100;
const queriesInAll = 200;

/** Where the test core can be filled, worlds and queries; elsewhere queries about its own histories. */
export async function generatedCasesAreTrue(world: World): Promise<void> {
  if (world.core.fill === undefined) return ownHistoriesAnswer(world);
  await world.elsewhere({}, async (there) => {
    const { fill } = there.core;
    assert.ok(fill, 'the test core could be filled before, and cannot now');
    const cases = fc.record({
      customers: worlds(there.adapter.pending !== 'none'),
      plans: fc.array(queryPlans, { minLength: 1, maxLength: 4 }),
    });
    let tried = 0;
    await holds(there, cases, worldsInAll, async ({ customers, plans }) => {
      await fill(customers);
      for (const customer of customers) await customerIsTrue(there, customer, plans);
      world.progress(`${++tried} of ${worldsInAll} generated worlds`);
    });
  });
}

async function ownHistoriesAnswer(world: World): Promise<void> {
  const subjects = histories(world);
  const cases = fc.record({ account: fc.nat(subjects.length - 1), plan: queryPlans });
  let tried = 0;
  await holds(world, cases, queriesInAll, async ({ account, plan }) => {
    const subject = subjects[account] as (typeof subjects)[number];
    await pageIsTrue(world, subject, plan, subject.rows);
    world.progress(`${++tried} of ${queriesInAll} generated queries`);
  });
}

/** Tries cases until one fails, and looks for a smaller one that fails, too. */
async function holds<T>(
  { kit }: World,
  cases: fc.Arbitrary<T>,
  numRuns: number,
  check: (one: T) => Promise<void>,
): Promise<void> {
  const { failed, seed, counterexample, errorInstance } = await fc.check(
    fc.asyncProperty(cases, (one) => check(one)),
    { numRuns, ...(kit.seed !== undefined && { seed: kit.seed }) },
  );
  if (!failed) return;
  const message = isError(errorInstance) ? errorInstance.message : 'a value that is not an Error was thrown';
  assert.fail(`${message}\nseed: ${seed}\nthe smallest case that fails: ${fc.stringify(counterexample?.[0])}`);
}

async function customerIsTrue(
  world: World,
  { customerRef, accounts }: GivenCustomer,
  plans: readonly QueryPlan[],
): Promise<void> {
  const { items } = await world.adapter.accounts(contextOf(customerRef));
  const listed = items.map(({ ref, currency }) => `${JSON.stringify(ref)} in ${currency}`).toSorted();
  const given = accounts.map(({ ref, currency }) => `${JSON.stringify(ref)} in ${currency}`).toSorted();
  assert.ok(
    listed.join() === given.join(),
    `accounts of customer ${JSON.stringify(customerRef)}: ${listed.join(', ')} where the core has ${given.join(', ')}`,
  );
  for (const account of accounts) {
    const subject = { customerRef, accountRef: account.ref };
    const alone = await world.adapter.account(account.ref, contextOf(customerRef));
    isSame(subject, 'account', 'ref', alone.ref, account.ref);
    if (world.has('balances')) await balanceIsTrue(world, subject, account);
    await recordsAreTrue(world, subject, account.transactions);
    for (const plan of plans) await pageIsTrue(world, subject, plan, account.transactions);
  }
}

type CustomersAccount = Pick<Subject, 'customerRef' | 'accountRef'>;

/** Named by account, record and difference. */
function isSame(subject: CustomersAccount, record: string, member: string, found: unknown, given: unknown): void {
  const text = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
  assert.ok(
    text(found) === text(given),
    `${whereOf(subject)}, ${record}: ${member} is ${text(found)} where the core has ${text(given)}`,
  );
}

function whereOf({ customerRef, accountRef }: CustomersAccount): string {
  return `account ${JSON.stringify(accountRef)} of customer ${JSON.stringify(customerRef)}`;
}

async function balanceIsTrue(
  world: World,
  subject: CustomersAccount,
  { booked, currency }: GivenAccount,
): Promise<void> {
  const { items } = await ask(world.adapter, 'balances', subject);
  const found = (items as readonly CoreBalance[]).find(({ kind }) => kind === 'booked');
  isSame(
    subject,
    'booked balance',
    'amount',
    found && moneyText(found.amount),
    moneyText({ minorUnits: booked, currency }),
  );
}

async function recordsAreTrue(
  world: World,
  subject: CustomersAccount,
  given: readonly CoreTransaction[],
): Promise<void> {
  const { items } = await history(world.adapter, subject, { read: 'older', limit: 1_000 });
  const found = new Map(items.map((row) => [row.id, row]));
  for (const row of given) {
    const answered = found.get(row.id);
    const record = `transaction ${JSON.stringify(row.id)}`;
    assert.ok(answered, `${whereOf(subject)}, ${record}: it is not in the history`);
    isSame(subject, record, 'status', answered.status, row.status);
    isSame(subject, record, 'at', timeText(answered.at), timeText(row.at));
    isSame(subject, record, 'amount', moneyText(answered.amount), moneyText(row.amount));
    isSame(subject, record, 'description', answered.description, row.description);
  }
}

async function pageIsTrue(
  world: World,
  subject: CustomersAccount,
  plan: QueryPlan,
  rows: readonly CoreTransaction[],
): Promise<void> {
  const query = planned(plan, rows);
  const { position, limit, read } = query;
  const from =
    position === undefined ? '' : ` than ${new Date(position.atMs).toISOString()} ${JSON.stringify(position.id)}`;
  const record = `transactions, ${described(query)}, the ${limit} ${read}${from}`;
  const page = await history(world.adapter, subject, query);
  const right = select(rows, query);
  isSame(subject, record, 'the page', idsOf(page.items), idsOf(right.items));
  isSame(subject, record, '`more`', page.more, right.more);
}

function idsOf(rows: readonly CoreTransaction[]): string[] {
  return rows.map(({ id }) => id);
}
