import assert from 'node:assert/strict';
import { CoreError } from '../../core-adapter/core-error.js';
import { leavesOf, timeText } from '../compare.js';
import { type CoreField, fieldsOf, type Site, withValue } from '../core-fields.js';
import { type AnyRead, askAny, newest, type Subject } from '../reads.js';
import { select } from '../history-model.js';
import type { World } from '../world.js';

/** Each field of the core’s records gets a value that no record has, one field at a time. */
export async function unknownWordsAreBad(world: World): Promise<void> {
  world.need('account', () => true);
  let refused = 0;
  const judged = new Set<string>();
  for (const read of world.everyRead.filter((one) => coded[one] !== undefined)) {
    const [subject, ...others] = subjectsOf(world, read);
    if (subject === undefined) continue;
    const good = await outcomeOf(world, read, subject);
    // Other clauses judge the good answer.
    if (good === 'bad') continue;
    const fields = await fieldsOf(world, read, subject, others);
    const paths = new Set(fields.flatMap(({ sites }) => sites.map(({ path }) => path)));
    // The reads of an account may begin with the same answers: they are judged once where a read has others, too.
    const news = [...paths].filter((path) => !judged.has(path));
    const own = news.length === 0 ? paths : new Set(news);
    for (const path of news) judged.add(path);
    for (const field of fields)
      for (const site of field.sites.filter(({ path }) => own.has(path)))
        if (await isRefused({ world, read, subject, good }, field, site)) refused++;
  }
  assert.ok(
    refused > 0,
    'no unknown word in a field of the core’s records makes a bad record: tell the kit where they are in `faults.records`',
  );
}

/** More would hardly add a word to the answers. */
const mostSubjects = 30;

/** The one that is judged, which has the most different codes, and others, whose answers may have words that its own lack. */
function subjectsOf(world: World, read: AnyRead): readonly Subject[] {
  const found =
    read === 'accounts' ? [...new Map(world.subjects.map((one) => [one.customerRef, one])).values()] : world.subjects;
  const byCodes = found
    .map((subject) => ({ subject, codes: codesIn(recordsOf(world, read, subject), read) }))
    .filter(
      ({ subject, codes }) =>
        codes > 0 && (read === 'accounts' || read === 'account' || subject.truth.account.permitted),
    )
    .toSorted((a, b) => b.codes - a.codes)
    .map(({ subject }) => subject);
  return byCodes.slice(0, mostSubjects);
}

/** The records of the truth that the read gives. */
function recordsOf({ subjects }: World, read: AnyRead, { customerRef, truth }: Subject): readonly object[] {
  if (read === 'account') return [truth.account];
  if (read === 'accounts')
    return subjects.filter((one) => one.customerRef === customerRef).map((one) => one.truth.account);
  return read === 'transactions' ? select(truth.transactions ?? [], newest).items : (truth[read] ?? []);
}

function codesIn(records: readonly object[], read: AnyRead): number {
  return new Set(records.map((record) => JSON.stringify([...codedOf(read, record).codes]))).size;
}

interface Place {
  readonly world: World;
  readonly read: AnyRead;
  readonly subject: Subject;
  readonly good: readonly Coded[];
}

async function isRefused(place: Place, field: CoreField, site: Site): Promise<boolean> {
  const { read, subject, good } = place;
  const found = await outcomeWith(place, site, field.unknown);
  if (found === 'bad') return true;
  const isShown = found.length === good.length;
  // A field that changes more than a code is an id, an amount, a time or a text.
  if (isShown && found.some(({ rest }, index) => rest !== good[index]?.rest)) return false;
  const decided = differenceOf(good, found) ?? (await decidedBy(place, field, site));
  // A record of an unknown owner is left out as well.
  if (decided === undefined || (!isShown && decided.member === undefined)) return false;
  const { index, member } = decided;
  // The gateway knows the products, and makes a bad record of another.
  if (member === 'product' && found[index]?.codes.get(member) === String(field.unknown)) return true;
  const whose = read === 'accounts' ? `customer ${subject.customerRef}` : `account ${subject.accountRef}`;
  const taken =
    member === undefined ? 'one of a record that is shown' : `${member}: ${found[index]?.codes.get(member)}`;
  assert.fail(
    `${read} of ${whose}: an unknown word in the core’s field ${JSON.stringify(field.name)} ` +
      (isShown ? `is taken for ${taken}` : `leaves the record out`) +
      ', where it has to make a bad record: list the core’s words and refuse every other, as `wordOf` of the port does',
  );
}

/** A member that the adapter takes from code words; none where the words select the records that are shown. */
interface Decided {
  readonly index: number;
  readonly member?: string;
}

/** The member that another known value of the field changes. */
async function decidedBy(place: Place, field: CoreField, site: Site): Promise<Decided | undefined> {
  for (const value of field.values) {
    if (value === site.value) continue;
    const found = await outcomeWith(place, site, value);
    const decided = found === 'bad' ? toldApart(place, field, site, value) : decidedIn(place.good, found);
    if (decided !== undefined) return decided;
  }
  return undefined;
}

function decidedIn(good: readonly Coded[], found: readonly Coded[]): Decided | undefined {
  return found.length < good.length ? { index: 0 } : differenceOf(good, found);
}

/**
 * A member that each of two values of the field goes with, in every record that has them. The value of a pending transaction
 * makes a booked one bad, because other fields do not agree with it.
 */
function toldApart({ read, good }: Place, { all }: CoreField, site: Site, other: Site['value']): Decided | undefined {
  const indexesOf = (value: Site['value']): number[] =>
    all
      .filter((one) => one.value === value)
      .map(({ texts }) => good.findIndex(({ key }) => texts.has(key)))
      .filter((index) => index >= 0);
  const [index] = indexesOf(site.value);
  if (index === undefined) return undefined;
  const codesOf = (value: Site['value'], member: string): Set<string | undefined> =>
    new Set(indexesOf(value).map((one) => good[one]?.codes.get(member)));
  const member = coded[read]?.find((one) => {
    const [own, others] = [codesOf(site.value, one), codesOf(other, one)];
    return own.size === 1 && others.size === 1 && [...own][0] !== [...others][0];
  });
  return member === undefined ? undefined : { index, member };
}

function differenceOf(good: readonly Coded[], found: readonly Coded[]): Decided | undefined {
  if (good.length !== found.length) return undefined;
  for (const [index, { codes }] of good.entries())
    for (const member of new Set([...codes.keys(), ...(found[index]?.codes.keys() ?? [])]))
      if (codes.get(member) !== found[index]?.codes.get(member)) return { index, member };
  return undefined;
}

function outcomeWith(
  { world, read, subject }: Place,
  site: Site,
  value: Site['value'],
): Promise<readonly Coded[] | 'bad'> {
  return world.under(withValue(world, read, site, value), () => outcomeOf(world, read, subject));
}

async function outcomeOf(world: World, read: AnyRead, subject: Subject): Promise<readonly Coded[] | 'bad'> {
  try {
    const found = await askAny(world.adapter, read, subject);
    if (!('items' in found)) return [codedOf('account', found)];
    return found.bad.length > 0 ? 'bad' : found.items.map((item) => codedOf(read, item));
  } catch (error) {
    // Other clauses judge which faults an adapter may throw.
    if (error instanceof CoreError) return 'bad';
    throw error;
  }
}

/** A record in two parts: the members that come from code words, and all others. */
interface Coded {
  /** By which the core knows the record as well; `unknown` where it has none. */
  readonly key: string;
  readonly codes: ReadonlyMap<string, string>;
  readonly rest: string;
}

/** Not the kind of a beneficiary or a product: an adapter may take it from a country, or call an unknown one `other`. */
const coded: Readonly<Partial<Record<AnyRead, readonly string[]>>> = {
  accounts: ['permitted', 'product', 'holder'],
  account: ['permitted', 'product', 'holder'],
  balances: ['kind'],
  transactions: ['status'],
  scheduledPayments: ['type'],
  statements: ['type'],
  directDebits: ['active'],
  standingOrders: ['active'],
};

function codedOf(read: AnyRead, record: object): Coded {
  const members = coded[read] ?? [];
  const { plain, money, times, scripts } = leavesOf(record);
  const codes = new Map(
    members.map((member) => [member, String((record as Readonly<Record<string, unknown>>)[member])]),
  );
  // Many cores send the sign as a word for money in or out.
  for (const { path, value } of money)
    if (value.minorUnits !== 0n) codes.set(`the sign of ${path}`, value.minorUnits < 0n ? 'negative' : 'positive');
  const rest = [
    ...plain.filter(({ path }) => !members.includes(path)).map(({ path, value }) => [path, value]),
    ...money.map(({ path, value }) => [path, String(value.minorUnits).replace('-', ''), value.currency]),
    ...times.map(({ path, value }) => [path, timeText(value)]),
    ...scripts.map(({ path, value }) => [path, value]),
  ];
  const { id, ref } = record as { readonly id?: string; readonly ref?: string };
  return { key: id ?? ref ?? 'unknown', codes, rest: JSON.stringify(rest) };
}
