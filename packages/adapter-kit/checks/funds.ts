import assert from 'node:assert/strict';
import { isCoreError } from '../../core-adapter/core-error.js';
import type { StatedAccount } from '../../core-adapter/core.funds.js';
import type { TruthOfFunds } from '../adapter-under-test.js';
import { same } from '../compare.js';
import { askFunds, find, numbersOf, type Subject } from '../reads.js';
import { contextOf } from '../reads.js';
import type { World } from '../world.js';

export async function numbersFindTheirAccount(world: World): Promise<void> {
  world.need('account with a number', isNumbered);
  const hasTwo = (subject: Subject): boolean => holdersOf(world, subject) > 1;
  // Another clause needs such an account, or the reason why the core has no such account.
  if (world.subjects.some(hasTwo))
    world.need('account with a number and two holders', (subject) => isNumbered(subject) && hasTwo(subject));
  for (const { accountRef, truth } of world.subjects)
    for (const stated of numbersOf(truth.account)) {
      const where = `the account ${accountRef} by its ${stated.scheme}`;
      const found = await find(world.adapter, stated);
      assert.ok(found, `${where}: not found`);
      assert.equal(found.account.ref, accountRef, where);
      assert.ok(truth.holderNames, `the truth of account ${accountRef} has no \`holderNames\``);
      assert.ok(
        truth.holderNames.length >= holdersOf(world, { accountRef }),
        `the truth of account ${accountRef} has fewer \`holderNames\` than customers who list it`,
      );
      same(found.holderNames.toSorted(), truth.holderNames.toSorted(), `${where}: the names of its holders`);
    }
}

export async function otherNumbersFindNone(world: World): Promise<void> {
  const { truth } = world.need('account with a number', isNumbered);
  const known = new Set(world.subjects.flatMap((subject) => numbersOf(subject.truth.account).map(textOfStated)));
  const strange = [...numbersOf(truth.account).flatMap(alike), ...strangers].filter(
    (stated) => !known.has(textOfStated(stated)),
  );
  for (const stated of strange) {
    const found = await find(world.adapter, stated);
    assert.ok(
      found === undefined,
      `the ${stated.scheme} ${stated.identification}, which no account has, found the account ${found?.account.ref}`,
    );
  }
}

export async function fundsEndAtTheirEdge(world: World): Promise<void> {
  world.need(
    'account with `funds` above zero',
    hasFunds(({ spendable }) => spendable.minorUnits > 0n),
  );
  world.need(
    'account with `funds` below zero',
    hasFunds(({ spendable }) => spendable.minorUnits < 0n),
  );
  await eachFunds(world, async (asks, { spendable }) => {
    const { minorUnits: edge } = spendable;
    for (const minorUnits of [0n, 1n, edge - 1n, edge, edge + 1n, -edge])
      if (minorUnits >= 0n) await asks({ ...spendable, minorUnits }, false, minorUnits <= edge);
  });
}

export async function overdraftsCountWhereAsked(world: World): Promise<void> {
  world.need(
    'account with `funds.overdraft`',
    hasFunds(({ overdraft }) => (overdraft?.minorUnits ?? 0n) > 0n),
  );
  await eachFunds(world, async (asks, { spendable, overdraft }) => {
    const edge = spendable.minorUnits + (overdraft?.minorUnits ?? 0n);
    for (const minorUnits of [edge, edge + 1n])
      if (minorUnits >= 0n) await asks({ ...spendable, minorUnits }, true, minorUnits <= edge);
    if (overdraft !== undefined && overdraft.minorUnits > 0n && edge >= 0n)
      await asks({ ...spendable, minorUnits: edge }, false, false);
  });
}

export async function blockedHasNoFunds(world: World): Promise<void> {
  const { accountRef, ...subject } = world.need(
    'account to which access is not permitted',
    ({ truth }) => !truth.account.permitted,
  );
  const { currency } = subject.truth.account;
  try {
    const question = { amount: { minorUnits: 0n, currency }, countOverdraft: true };
    const { available } = await askFunds(world.adapter, { accountRef, ...subject }, question);
    assert.equal(available, false, `funds of the blocked account ${accountRef}`);
  } catch (error) {
    if (!isCoreError(error) || error.kind !== 'account-not-permitted') throw error;
  }
}

export async function otherCurrenciesHaveNoFunds(world: World): Promise<void> {
  world.need(
    'account with `funds` above zero',
    hasFunds(({ spendable }) => spendable.minorUnits > 0n),
  );
  await eachFunds(world, async (asks, { spendable }) => {
    const currency = spendable.currency === 'EUR' ? 'GBP' : 'EUR';
    await asks({ minorUnits: 1n, currency }, true, false);
  });
}

type Asks = (amount: TruthOfFunds['spendable'], countOverdraft: boolean, right: boolean) => Promise<void>;

/** For each account whose funds the truth states, and each of its holders. */
async function eachFunds(world: World, use: (asks: Asks, funds: TruthOfFunds) => Promise<void>): Promise<void> {
  for (const subject of world.subjects) {
    const { accountRef, customerRef, truth } = subject;
    if (truth.funds === undefined || !truth.account.permitted) continue;
    await use(async (amount, countOverdraft, right) => {
      const { account, available } = await askFunds(
        world.adapter,
        subject,
        { amount, countOverdraft },
        contextOf(customerRef),
      );
      const where = `funds of account ${accountRef}, ${amount.minorUnits} ${amount.currency}, the overdraft ${
        countOverdraft ? '' : 'not '
      }counted`;
      assert.equal(available, right, where);
      same([account.ref, account.currency], [accountRef, truth.account.currency], `${where}: the account`);
    }, truth.funds);
  }
}

/** How many customers list the account. */
function holdersOf({ personas }: World, { accountRef }: Pick<Subject, 'accountRef'>): number {
  return personas.filter(({ accountRefs }) => accountRefs.includes(accountRef)).length;
}

function isNumbered({ truth }: Subject): boolean {
  return numbersOf(truth.account).length > 0;
}

function hasFunds(is: (funds: TruthOfFunds) => boolean): (subject: Subject) => boolean {
  return ({ truth }) => truth.account.permitted && truth.funds !== undefined && is(truth.funds);
}

const textOfStated = ({ scheme, identification }: StatedAccount): string => `${scheme} ${identification}`;

const strangers: readonly StatedAccount[] = [
  { scheme: 'sort-code', identification: '00000000000000' },
  { scheme: 'iban', identification: 'DE89370400440532013000' },
];

/** Numbers of their form that differ from this one in one part: the bank, the branch or the account. */
function alike({ scheme, identification }: StatedAccount): StatedAccount[] {
  const places = scheme === 'iban' ? [4, 8, identification.length - 1] : [0, 5, 6, identification.length - 1];
  return places.map((place) => {
    const changed = withOther(identification, place);
    return { scheme, identification: scheme === 'iban' ? withCheckDigits(changed) : changed };
  });
}

function withOther(text: string, place: number): string {
  const character = text.charAt(place);
  const other = /\d/.test(character) ? String((Number(character) + 1) % 10) : character === 'X' ? 'Y' : 'X';
  return text.slice(0, place) + other + text.slice(place + 1);
}

/** The check digits of ISO 13616 for the rest of the IBAN. */
function withCheckDigits(iban: string): string {
  const [country, rest] = [iban.slice(0, 2), iban.slice(4)];
  const digits = `${rest}${country}00`.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${rest}`;
}
