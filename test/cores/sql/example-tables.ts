import { readFileSync } from 'node:fs';
import type { ClauseId } from '../../../packages/adapter-kit/adapter-kit.js';
import { kitServices } from '../../../packages/adapter-kit/kit-services.js';
import { contextOf } from '../../../packages/adapter-kit/reads.js';
import {
  type AccountRead,
  accountReads,
  type CoreAdapter,
  type CoreItems,
} from '../../../packages/core-adapter/core.adapter.js';
import { isCoreError } from '../../../packages/core-adapter/core-error.js';
import type { TransactionPosition } from '../../../packages/core-adapter/core.records.js';
import { timeMs } from '../../../packages/core-adapter/history-order.js';
import { createAdapter } from '../../../src/core-banking/adapters/sql/sql.adapter.js';
import { type YamlNode, readYaml } from '../../../src/core-banking/record-mapping/yaml-node.js';
import { examplesOf, unprovedParts } from '../../support/examples.js';
import { meaningOf, membersOf, textOfMeaning } from '../../support/meanings.js';
import { FilledDatabase } from './filled-database.js';
import type { KitBank } from './kit-bank.js';

type Read = AccountRead | 'accounts';

/** The member of the examples with the records that the queries make of the bank's example tables. */
export const ofTables = 'tables';

/** The adapter with the bank's file, on a database with the tables of its schema. */
async function onDatabase<T>(
  server: string,
  path: string,
  database: FilledDatabase,
  use: (adapter: CoreAdapter) => Promise<T>,
): Promise<T> {
  const { username, password } = new URL(server);
  const variables = { CORE_SQL_FILE: path, CORE_USERNAME: username, CORE_PASSWORD: password };
  const url = `postgresql://${database.address}`;
  const adapter = await createAdapter({ url, connections: 1, variables }, kitServices);
  try {
    return await use(adapter);
  } finally {
    await adapter.close();
  }
}

/** Each clause for which the queries make other records of the bank's example tables than the examples say, and why. */
export async function unprovedByTables(
  bank: KitBank,
  path: string,
  server: string,
): Promise<Partial<Record<ClauseId, string>>> {
  if (bank.example === undefined) return {};
  const database = await FilledDatabase.create(server, { schema: `${bank.schema};\n${bank.example}` });
  try {
    const faults = await onDatabase(server, path, database, (adapter) => faultsOfTables(bank, path, adapter));
    return unprovedParts(path, faults);
  } finally {
    await database.drop();
  }
}

async function faultsOfTables(
  { file }: KitBank,
  path: string,
  adapter: CoreAdapter,
): Promise<ReadonlyMap<Read, readonly string[]>> {
  const served: readonly Read[] = ['accounts', ...accountReads.filter((read) => file.reads[read] !== undefined)];
  const places =
    readYaml(readFileSync(examplesOf(path), 'utf8'))
      .optional(ofTables)
      ?.each() ?? [];
  const faults = new Map<Read, string[]>();
  const meant = new Set<Read>();
  for (const place of places) {
    const account = place.optional('account')?.text();
    place.members(
      ['customer', ...(account === undefined ? ['accounts'] : ['account'])],
      account === undefined ? [] : served,
    );
    const customer = place.at('customer').text();
    for (const read of served) {
      const records = place.optional(read)?.each();
      if (records === undefined) continue;
      if (records.length > 0) meant.add(read);
      const where = `${read} of customer ${customer}${account === undefined ? '' : `, account ${account}`}`;
      const found = differences(await answerOf(adapter, read, customer, account ?? ''), records);
      faults.set(read, [...(faults.get(read) ?? []), ...found.map((fault) => `${ofTables}: ${where}: ${fault}`)]);
    }
  }
  for (const read of served)
    if (!meant.has(read))
      faults.set(read, [`${ofTables} has no records of ${read}, which the queries make of test.example`]);
  return new Map([...faults].filter(([, found]) => found.length > 0));
}

type Answer = CoreItems<object> | { readonly fault: string };

async function answerOf(adapter: CoreAdapter, read: Read, customer: string, account: string): Promise<Answer> {
  const context = contextOf(customer);
  try {
    if (read === 'accounts') return await adapter.accounts(context);
    if (read === 'transactions') return await historyOf(adapter, customer, account);
    return (await adapter[read]?.(account, context)) as CoreItems<object>;
  } catch (error) {
    if (!isCoreError(error)) throw error;
    return { fault: error.detail };
  }
}

const pageRows = 1_000;

async function historyOf(adapter: CoreAdapter, customer: string, account: string): Promise<CoreItems<object>> {
  const [items, bad] = [new Array<object>(), new Array<CoreItems<object>['bad'][number]>()];
  for (let position: TransactionPosition | undefined; ;) {
    const query = { read: 'older', limit: pageRows, ...(position && { position }) } as const;
    const page = await (adapter as Required<CoreAdapter>).transactions(account, query, contextOf(customer));
    items.push(...page.items);
    bad.push(...page.bad);
    const last = page.items.at(-1);
    if (!page.more || last === undefined) return { items, bad };
    position = { atMs: timeMs(last.at), id: last.id };
  }
}

/** The order of a list is that of the database. */
function differences(answer: Answer, records: readonly YamlNode[]): string[] {
  if ('fault' in answer) return [`the read fails: ${answer.fault}`];
  const read = answer.items.map((record) => textOfMeaning(meaningOf(record)));
  const meant = records.map((place) => textOfMeaning(new Map(membersOf(place))));
  return [
    ...answer.bad.map(({ where, fault }) => `${where} cannot be read: ${fault}`),
    ...without(read, meant).map((record) => `the query makes ${record}, which the example does not have`),
    ...without(meant, read).map((record) => `the query does not make ${record}`),
  ];
}

/** The texts that the other list does not have, or has less often. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return texts.filter((text) => {
    const place = left.indexOf(text);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

/**
 * Why a TPP could get one id for two transactions: where pending and booked ones come from two tables, the kit gives one id to a
 * row of each. A table whose key forbids that has one space of ids.
 */
export async function repeatedIds(bank: KitBank, path: string, server: string): Promise<string | undefined> {
  const { transactions } = bank.file.reads;
  if (transactions === undefined || bank.file.pending === 'none') return undefined;
  const [[customerRef, accounts] = ['', []]] = bank.truths();
  const account = accounts.find(({ transactions: rows = [] }) => rows.some(({ status }) => status === 'pending'));
  const pending = account?.transactions?.find(({ status }) => status === 'pending');
  if (account === undefined || pending === undefined) return undefined;
  const place = { customerRef, account };
  const database = await FilledDatabase.create(server, { schema: bank.schema });
  try {
    const party = (account.party ?? []).flatMap((record) => bank.addition({ ...place, read: 'party' }, record));
    await database.insert([...party, ...bank.addition({ ...place, read: 'accounts' }, account.account)]);
    const number = pending.id.slice(bank.idOf('pending', '').length);
    const booked = { ...pending, id: bank.idOf('booked', number), status: 'booked', expectedBookingAt: undefined };
    const insert = (record: object) => database.insert(bank.addition({ ...place, read: 'transactions' }, record));
    await insert(pending);
    if (!(await insert(booked).then(() => true, isNoKeyFault))) return undefined;
    const { items, bad } = await onDatabase(server, path, database, (adapter) =>
      historyOf(adapter, customerRef, account.account.ref),
    );
    const isRepeated = items.length + bad.length > 1;
    return isRepeated
      ? `transactions: a pending row and a booked row of one account have the id ${number}. Select an id that is unique in ` +
          `the account, such as 'H' || ${(transactions.columns.id as { column: string }).column}, and name the letter in ` +
          'test.ids; or give the table of test.schema the key that your table has'
      : undefined;
  } finally {
    await database.drop();
  }
}

function isNoKeyFault(error: unknown): boolean {
  // unique_violation
  if ((error as { readonly code?: string }).code === '23505') return false;
  throw error as Error;
}
