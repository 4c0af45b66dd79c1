import assert from 'node:assert/strict';
import { types } from 'node:util';
import type {
  AccountRead,
  CoreAdapter,
  CoreContext,
  CoreItems,
  CoreRead,
  CoreTransactionsRead,
} from '../core-adapter/core.adapter.js';
import { accountReads } from '../core-adapter/core.adapter.js';
import { CoreError } from '../core-adapter/core-error.js';
import type { CoreSettings } from '../core-adapter/core-settings.js';
import type {
  CoreAccount,
  CoreTransaction,
  TransactionPosition,
  TransactionQuery,
} from '../core-adapter/core.records.js';
import type { AccountTruth, AdapterUnderTest, TestCore, TestPersona } from './adapter-under-test.js';
import { CoreProxy, type CoreProxyRules } from './core-proxy.js';
import { compare, positionOf } from './history-model.js';
import { readPatienceMs } from './patience.js';

/** The clause on large histories has its own way of reading those. */
export const largeHistory = 20_000;
const connections = 4;
const interactionId = '5a7f1c1e-0d1b-4c9e-9f60-3f3f6f1f7a11';

/** An account as one customer sees it, and what is true of it. */
export interface Subject {
  readonly customerRef: string;
  readonly accountRef: string;
  readonly truth: AccountTruth;
}

/** A test core, the proxy before it, an adapter that reads through the proxy, and the truth. */
export class World {
  private read_?: Promise<Map<Subject, Snapshot>>;

  private constructor(
    readonly kit: AdapterUnderTest,
    readonly core: TestCore,
    readonly proxy: CoreProxy,
    readonly adapter: CoreAdapter,
    readonly personas: readonly TestPersona[],
    readonly subjects: readonly Subject[],
  ) {}

  static async open(kit: AdapterUnderTest, where: { readonly timeZone?: string } = {}): Promise<World> {
    const core = await kit.core(where);
    const proxy = await CoreProxy.start(core.url);
    try {
      const adapter = await kit.create(settingsOf(core, proxy.origin));
      const personas = await kit.personas();
      const subjects: Subject[] = [];
      for (const { customerRef, accountRefs } of personas)
        for (const accountRef of accountRefs)
          subjects.push({ customerRef, accountRef, truth: await kit.truth(customerRef, accountRef) });
      return new World(kit, core, proxy, adapter, personas, subjects);
    } catch (error) {
      await proxy.close();
      await core.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.adapter.close();
    await this.proxy.close();
    await this.core.close();
  }

  /** Another adapter on the same core, closed when `use` is done. */
  async with<T>(use: (adapter: CoreAdapter) => Promise<T>, origin = this.proxy.origin): Promise<T> {
    const adapter = await this.kit.create(settingsOf(this.core, origin));
    try {
      return await use(adapter);
    } finally {
      await adapter.close();
    }
  }

  /** A world of its own for what changes the core or where it lives. */
  async elsewhere<T>(where: { readonly timeZone?: string }, use: (world: World) => Promise<T>): Promise<T> {
    const world = await World.open(this.kit, where);
    try {
      return await use(world);
    } finally {
      await world.close();
    }
  }

  /** With the proxy under these rules while `use` runs. */
  async under<T>(rules: CoreProxyRules, use: () => Promise<T>): Promise<T> {
    this.proxy.set(rules);
    try {
      return await use();
    } finally {
      this.proxy.set({});
    }
  }

  has(read: AccountRead): boolean {
    return this.adapter[read] !== undefined;
  }

  get reads(): readonly AccountRead[] {
    return accountReads.filter((read) => this.has(read));
  }

  /** A subject of each kind that the clause needs; without one the clause says what is missing. */
  need(what: string, fits: (subject: Subject) => boolean): Subject {
    const found = this.subjects.find(fits);
    assert.ok(
      found,
      `the truth has ${what === '' ? 'nobody' : `no ${what}`}: give the test core one and tell the kit in personas and truth, ` +
        'or say in `without` why there cannot be one',
    );
    return found;
  }

  /** The subject with the most records of the read, of those that may be shown. */
  richest(read: AccountRead): Subject {
    const sizeOf = ({ truth }: Subject): number => truth[read]?.length ?? 0;
    const [richest] = this.subjects
      .filter((subject) => subject.truth.account.permitted && sizeOf(subject) < largeHistory)
      .toSorted((a, b) => sizeOf(b) - sizeOf(a));
    assert.ok(
      richest !== undefined && sizeOf(richest) > 0,
      `the truth has no account with ${read}: give the test core one and tell the kit in personas and truth`,
    );
    return richest;
  }

  /** All that the adapter says of every account, read once. */
  everything(): Promise<Map<Subject, Snapshot>> {
    this.read_ ??= this.readEverything();
    return this.read_;
  }

  private async readEverything(): Promise<Map<Subject, Snapshot>> {
    const snapshots = new Map<Subject, Snapshot>();
    for (const subject of this.subjects) snapshots.set(subject, await readAll(this, subject));
    return snapshots;
  }
}

/** What one account's reads gave; where a read threw, its error. */
export type Snapshot = Readonly<Partial<Record<AccountRead, CoreRead<object> | Error>>> & {
  readonly account: CoreAccount | Error;
};

async function readAll(world: World, subject: Subject): Promise<Snapshot> {
  const attempt = async <T>(read: () => Promise<T>): Promise<T | Error> => {
    try {
      return await read();
    } catch (error) {
      // Not `instanceof`: a test runner's own realm has another Error.
      return types.isNativeError(error) ? new Error(error.message) : new Error('something that is no Error was thrown');
    }
  };
  const { adapter } = world;
  const snapshot: Record<string, unknown> = {
    account: await attempt(() => adapter.account(subject.accountRef, contextOf(subject.customerRef))),
  };
  for (const read of world.reads)
    snapshot[read] = await attempt(() =>
      read === 'transactions' ? wholeHistory(adapter, subject) : ask(adapter, read, subject),
    );
  return snapshot as Snapshot;
}

async function wholeHistory(adapter: CoreAdapter, subject: Subject): Promise<CoreRead<CoreTransaction>> {
  if ((subject.truth.transactions?.length ?? 0) > largeHistory) {
    const { account } = await history(adapter, subject, { read: 'older', limit: 1 });
    return { account, items: [], bad: [] };
  }
  const pages = await walk(adapter, subject, { read: 'older', limit: 1000 });
  const [first] = pages;
  assert.ok(first);
  return { account: first.account, items: pages.flatMap(({ items }) => items), bad: pages.flatMap(({ bad }) => bad) };
}

/** Every page, in the direction of the query. */
export async function walk(
  adapter: CoreAdapter,
  subject: Subject,
  query: TransactionQuery,
  afterPage: (page: CoreTransactionsRead) => Promise<void> = async () => {},
): Promise<CoreTransactionsRead[]> {
  const pages: CoreTransactionsRead[] = [];
  const most = 10 + Math.ceil(((subject.truth.transactions?.length ?? 0) * 2) / query.limit);
  for (let { position } = query; ;) {
    const page = await history(adapter, subject, { ...query, position });
    pages.push(page);
    await afterPage(page);
    const edge = edgeOf(page, query.read);
    if (!page.more || edge === undefined) return pages;
    assert.ok(pages.length < most, 'the pages come to no end: `more` stays true although all rows have been read');
    position = edge;
  }
}

/** Where the next page begins: the last row of this one in the direction of reading, in whichever order it came. */
export function edgeOf(
  { items }: CoreTransactionsRead,
  read: TransactionQuery['read'],
): TransactionPosition | undefined {
  let edge: TransactionPosition | undefined;
  for (const place of items.map(positionOf))
    if (edge === undefined || (read === 'older' ? compare(place, edge) < 0 : compare(place, edge) > 0)) edge = place;
  return edge;
}

export function history(
  adapter: CoreAdapter,
  subject: Pick<Subject, 'customerRef' | 'accountRef'>,
  query: TransactionQuery,
  signal?: AbortSignal,
): Promise<CoreTransactionsRead> {
  assert.ok('transactions' in adapter, 'the adapter has no read of transactions');
  return (adapter as Required<CoreAdapter>).transactions(
    subject.accountRef,
    query,
    contextOf(subject.customerRef, signal),
  );
}

/** One read of an account, as the gateway would make it; of transactions the newest 25. */
export function ask(
  adapter: CoreAdapter,
  read: AccountRead,
  { customerRef, accountRef }: Pick<Subject, 'customerRef' | 'accountRef'>,
  signal?: AbortSignal,
): Promise<CoreRead<object>> {
  if (read === 'transactions')
    return history(adapter, { customerRef, accountRef }, { read: 'older', limit: 25 }, signal);
  assert.ok(read in adapter, `the adapter has no read ${read}`);
  return (adapter as Required<CoreAdapter>)[read](accountRef, contextOf(customerRef, signal));
}

export type AnyRead = AccountRead | 'accounts' | 'account';

export function askAny(
  adapter: CoreAdapter,
  read: AnyRead,
  subject: Pick<Subject, 'customerRef' | 'accountRef'>,
  signal?: AbortSignal,
): Promise<CoreItems<object> | CoreAccount> {
  const context = contextOf(subject.customerRef, signal);
  if (read === 'accounts') return adapter.accounts(context);
  if (read === 'account') return adapter.account(subject.accountRef, context);
  return ask(adapter, read, subject, signal);
}

export function contextOf(customerRef: string, signal: AbortSignal = AbortSignal.timeout(readPatienceMs)): CoreContext {
  return { interactionId, customerRef, signal };
}

/** The `CoreError` with which a read ends; anything else breaks the clause. */
export async function faultOf(reading: Promise<unknown>, where: string): Promise<CoreError> {
  let answer: unknown;
  try {
    answer = await reading;
  } catch (error) {
    assert.ok(
      error instanceof CoreError,
      `${where}: threw ${types.isNativeError(error) ? error.name : typeof error} where only CoreError may be thrown`,
    );
    return error;
  }
  assert.fail(`${where}: answered${answer === undefined ? '' : ' with records'} where it had to throw CoreError`);
}

/** The settings of an adapter that reaches the test core through the proxy. */
export function settingsOf({ url, variables = {} }: TestCore, origin: string): CoreSettings {
  return throughProxy({ url, connections, variables }, origin);
}

/** The settings with another address in the place of the core's, wherever it stands. */
export function throughProxy(settings: CoreSettings, origin: string): CoreSettings {
  const coreOrigin = new URL(settings.url).origin;
  const url = settings.url.replace(coreOrigin, origin);
  const variables = Object.fromEntries(
    Object.entries(settings.variables).map(([name, value]) => [name, value.replaceAll(coreOrigin, origin)]),
  );
  return { ...settings, url, variables: { ...variables, CORE_URL: url } };
}
