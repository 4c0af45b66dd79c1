import assert from 'node:assert/strict';
import { assertSameRecords, same } from '../compare.js';
import { isCoreError } from '../../core-adapter/core-error.js';
import type { AccountRead } from '../../core-adapter/core.adapter.js';
import type { CoreAccount } from '../../core-adapter/core.records.js';
import { select } from '../history-model.js';
import {
  type AnyRead,
  ask,
  askAny,
  askFunds,
  contextOf,
  faultOf,
  find,
  newest,
  numbersOf,
  type Subject,
} from '../reads.js';
import { alike, strangeRefs } from '../strange-references.js';
import type { World } from '../world.js';
import { withoutUnlistedRecords } from './answers.js';
import { assertRead } from './leaves.js';

export async function listsAreComplete({ adapter, personas, subjects }: World): Promise<void> {
  assert.ok(personas.length > 0, 'the kit has no customers: list some in `personas`, and their accounts in `truth`');
  for (const { customerRef } of personas) {
    const truth = subjects
      .filter((subject) => subject.customerRef === customerRef)
      .map((subject) => subject.truth.account);
    const { items, bad } = await adapter.accounts(contextOf(customerRef));
    same(bad, [], `accounts of ${customerRef}: bad records`);
    assertSameRecords(truth, items, `accounts of ${customerRef}`);
  }
}

const mostOpened = 100;

export async function longListsAreComplete(world: World): Promise<void> {
  // Then the clause on the list checks it.
  if (world.personas.some(({ accountRefs }) => accountRefs.length > mostOpened)) return;
  await world.elsewhere({}, async ({ adapter, anyAccount, core, personas }) => {
    const { customerRef } = anyAccount;
    assert.ok(
      core.open,
      `no customer has more than ${mostOpened} accounts: let \`open\` of the test core open them, or say in \`without\` why it cannot`,
    );
    await core.open(customerRef, mostOpened);
    const { items, bad } = await adapter.accounts(contextOf(customerRef));
    same(bad, [], `accounts of ${customerRef}: bad records`);
    const right = mostOpened + (personas.find((one) => one.customerRef === customerRef)?.accountRefs.length ?? 0);
    const found = new Set(items.map(({ ref }) => ref)).size;
    assert.ok(
      found === right,
      `accounts of ${customerRef}: ${found} where the core has ${right}: read the core’s list to its end`,
    );
  });
}

export async function listsAreStable({ adapter, personas }: World): Promise<void> {
  for (const { customerRef } of personas) {
    const refs = async (): Promise<string[]> =>
      (await adapter.accounts(contextOf(customerRef))).items.map(({ ref }) => ref);
    const first = await refs();
    assert.equal(new Set(first).size, first.length, `accounts of ${customerRef}: a reference comes twice`);
    for (let time = 0; time < 2; time++) same(await refs(), first, `accounts of ${customerRef}, asked again`);
  }
}

export async function accountIsThatOfTheList(world: World): Promise<void> {
  world.need('account', () => true);
  for (const customer of world.personas) {
    const { items } = await world.adapter.accounts(contextOf(customer.customerRef));
    for (const [subject, snapshot] of await world.everything()) {
      if (subject.customerRef !== customer.customerRef) continue;
      const listed = items.find(({ ref }) => ref === subject.accountRef);
      const { account } = snapshot;
      if (account instanceof Error) assert.fail(`account ${subject.accountRef}: ${account.message}`);
      same(account, listed, `account ${subject.accountRef}, read alone`);
      for (const read of world.reads) {
        const found = snapshot[read];
        // Another clause checks the message of a read that failed.
        if (found === undefined || found instanceof Error) continue;
        same(found.account, listed, `the account that came with ${read} of ${subject.accountRef}`);
      }
      await fundsComeWithIt(world, subject, listed);
    }
  }
}

/** The account that comes with each of the reads for confirmation of funds. */
async function fundsComeWithIt(world: World, subject: Subject, listed: CoreAccount | undefined): Promise<void> {
  const where = (read: string): string => `the account that came with ${read} of ${subject.accountRef}`;
  const { currency, permitted } = subject.truth.account;
  if (world.has('fundsAvailable') && permitted) {
    const question = { amount: { minorUnits: 1n, currency }, countOverdraft: false };
    same((await askFunds(world.adapter, subject, question)).account, listed, where('fundsAvailable'));
  }
  const [stated] = numbersOf(subject.truth.account);
  if (!world.has('findPaymentAccount') || stated === undefined) return;
  same((await find(world.adapter, stated))?.account, listed, where('findPaymentAccount'));
}

export async function unknownAccountsAreNotFound(world: World): Promise<void> {
  const { customerRef, accountRef } = world.need('account', () => true);
  const accountRefs = new Set(world.subjects.map((subject) => subject.accountRef));
  const strange = [...strangeRefs, ...alike(accountRef)].filter((ref) => !accountRefs.has(ref));
  // Each by the account alone and by one read in turn.
  for (const [index, ref] of strange.entries()) {
    const turn = world.reads[index % world.reads.length];
    await notFound(world, { customerRef, accountRef: ref }, turn === undefined ? ['account'] : ['account', turn]);
  }
  const [unknown = ''] = strange;
  await notFound(world, { customerRef, accountRef: unknown });
}

/** References that no customer has. */
function strangersOf({ personas }: World): string[] {
  const customerRefs = personas.map(({ customerRef }) => customerRef);
  const similarRefs = customerRefs.slice(0, 1).flatMap((ref) => [`../${ref}`, ...alike(ref)]);
  return ['no-such-customer', '987654321', '..', ...similarRefs].filter((ref) => !customerRefs.includes(ref));
}

export async function unknownCustomersHaveNone(world: World): Promise<void> {
  for (const stranger of strangersOf(world)) {
    const where = `accounts of the unknown customer ${JSON.stringify(stranger)}`;
    try {
      const { items, bad } = await world.adapter.accounts(contextOf(stranger));
      same([items, bad], [[], []], where);
    } catch (error) {
      if (!isCoreError(error)) throw error;
      assert.fail(`${where}: threw ${error.kind} (${error.detail}) where the list has to be empty`);
    }
  }
}

export async function customersAreApart(world: World): Promise<void> {
  assert.ok(world.personas.length > 1, 'the kit has fewer than two customers: list a second one');
  for (const { customerRef, accountRefs } of world.personas) {
    const { items } = await world.adapter.accounts(contextOf(customerRef));
    const others = world.personas.flatMap((other) => other.accountRefs).filter((ref) => !accountRefs.includes(ref));
    same(
      items.map(({ ref }) => ref).filter((ref) => others.includes(ref)),
      [],
      `accounts of others, listed for ${customerRef}`,
    );
    // Every read of some, and of each other account the account and one read in turn.
    const thorough = new Set([...others.slice(0, 3), ...others.slice(-1)]);
    for (const [index, accountRef] of others.entries()) {
      const turn = world.reads[index % world.reads.length];
      const some: readonly AnyRead[] = turn === undefined ? ['account'] : ['account', turn];
      const reads = thorough.has(accountRef) ? readsOfAccount(world) : some;
      // An adapter that keeps the owner's answers must not give them to the other.
      await readAsOwner(world, accountRef, reads);
      await notFound(world, { customerRef, accountRef }, reads);
    }
  }
  const { accountRef } = world.need('account', () => true);
  for (const customerRef of strangersOf(world)) await notFound(world, { customerRef, accountRef });
}

export async function holdersAreApart(world: World): Promise<void> {
  const isShared = ({ customerRef, accountRef }: Subject): boolean =>
    world.subjects.some((other) => other.accountRef === accountRef && other.customerRef !== customerRef);
  const hasHistory = ({ transactions = [] }: Subject['truth']): boolean => transactions.length > 0;
  const shared = world.need(
    world.has('transactions') ? 'account with two holders and a transaction' : 'account with two holders',
    (subject) =>
      isShared(subject) && subject.truth.account.permitted && (!world.has('transactions') || hasHistory(subject.truth)),
  );
  const holders = world.subjects.filter(({ accountRef }) => accountRef === shared.accountRef);
  await world.with(async (adapter) => {
    for (const read of world.reads)
      for (const holder of [...holders, ...holders.slice(0, 1)]) {
        const { items, bad } = await ask(adapter, read, holder);
        const where = `${read} of the shared account ${holder.accountRef} for ${holder.customerRef}`;
        same(bad, [], `${where}: bad records`);
        assertSameRecords(askedFor(read, holder), withoutUnlistedRecords(read, holder, items), where);
      }
  });
}

/** The records of the truth that {@link ask} reads. */
function askedFor(read: AccountRead, { truth }: Subject): readonly object[] {
  return read === 'transactions' ? select(truth.transactions ?? [], newest).items : (truth[read] ?? []);
}

/** Other clauses check the answers. */
async function readAsOwner(world: World, accountRef: string, reads: readonly AnyRead[]): Promise<void> {
  const owner = world.need('account', (subject) => subject.accountRef === accountRef);
  for (const read of reads) await askAny(world.adapter, read, owner).catch(() => undefined);
}

function readsOfAccount(world: World): readonly AnyRead[] {
  return ['account', ...world.reads, ...(world.has('fundsAvailable') ? (['fundsAvailable'] as const) : [])];
}

async function notFound(
  world: World,
  whose: { customerRef: string; accountRef: string },
  reads: readonly AnyRead[] = readsOfAccount(world),
): Promise<void> {
  for (const read of reads) {
    const where = `${read} of ${JSON.stringify(whose.accountRef)} for ${JSON.stringify(whose.customerRef)}`;
    const fault = await faultOf(askAny(world.adapter, read, whose), where);
    assert.equal(fault.kind, 'account-not-found', where);
  }
}

export async function statesAreTrue(world: World): Promise<void> {
  world.need('account to which access is not permitted', ({ truth }) => !truth.account.permitted);
  world.need('account to which access is permitted', ({ truth }) => truth.account.permitted);
  for (const { customerRef } of world.personas)
    for (const listed of (await world.adapter.accounts(contextOf(customerRef))).items)
      assertState(
        listed,
        world.need('account that the core lists', ({ accountRef }) => accountRef === listed.ref),
      );
  for (const [subject, { account, ...reads }] of await world.everything()) {
    if (!(account instanceof Error)) assertState(account, subject);
    for (const read of Object.values(reads)) if (!(read instanceof Error)) assertState(read.account, subject);
  }
}

function assertState(account: CoreAccount, { accountRef, truth }: Subject): void {
  assert.equal(account.permitted, truth.account.permitted, `permitted, account ${accountRef}`);
}

export async function cardsShowTheirEnd(world: World): Promise<void> {
  world.need('account with a card', ({ truth }) => truth.account.cardLastFour !== undefined);
  let checked = 0;
  for (const [{ accountRef, truth }, { account }] of await world.everything()) {
    if (account instanceof Error) continue;
    if (account.cardLastFour !== undefined) checked++;
    const where = `the card of account ${accountRef}`;
    assert.match(account.cardLastFour ?? '0000', /^\d{4}$/, `${where}: not four digits`);
    assert.equal(account.cardLastFour, truth.account.cardLastFour, where);
    // The gateway masks card numbers in the customer's own texts.
    const { description: _, ref: __, iban: ___, ...fields } = account;
    for (const [name, value] of Object.entries(fields))
      assert.doesNotMatch(String(value), /\d{13,19}/, `${where}: ${name} may hold the full card number`);
  }
  assertRead(checked, 'card');
}
