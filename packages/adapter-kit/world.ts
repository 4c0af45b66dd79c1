import assert from 'node:assert/strict';
import {
  type AccountRead,
  accountReads,
  type CoreAdapter,
  type FundsRead,
  fundsReads,
} from '../core-adapter/core.adapter.js';
import type { CoreServices } from '../core-adapter/core-services.js';
import type { CoreSettings } from '../core-adapter/core-settings.js';
import type { AdapterUnderTest, TestCore, TestPersona, WantedCore } from './adapter-under-test.js';
import type { CoreSource } from './clauses.js';
import { type CoreProxy, type CoreProxyRules, isOverHttp, NoProxy, throughProxy } from './core-proxy.js';
import { HttpCoreProxy } from './http-core-proxy.js';
import { partOfKit } from './kit-fault.js';
import { kitServices } from './kit-services.js';
import { enterZone } from './process-zone.js';
import { type AnyRead, numbersOf, type Subject } from './reads.js';
import { type Snapshot, snapshotOf } from './snapshot.js';
import { TcpCoreProxy } from './tcp-core-proxy.js';

/** CORE_CONNECTIONS of the adapter under test. */
export const connections = 4;

/** A test core, the proxy before it, an adapter that reads through the proxy, and the truth. */
export class World {
  private read_?: Promise<Map<Subject, Snapshot>>;
  /** Reports how far a clause that takes long has come. */
  progress: (text: string) => void = () => {};

  private constructor(
    readonly kit: AdapterUnderTest,
    readonly core: TestCore,
    readonly proxy: CoreProxy,
    readonly adapter: CoreAdapter,
    readonly personas: readonly TestPersona[],
    readonly subjects: readonly Subject[],
    readonly unproved: Awaited<ReturnType<NonNullable<AdapterUnderTest['unproved']>>>,
    private readonly leaveZone: () => void,
  ) {}

  /** @param zone of this process: an adapter that uses the midnight of the process in place of the bank’s shifts days */
  static async open(kit: AdapterUnderTest, wanted: WantedCore = {}, zone = 'Pacific/Kiritimati'): Promise<World> {
    const leave = enterZone(zone);
    let core: TestCore | undefined;
    let proxy: CoreProxy | undefined;
    try {
      const unproved = await partOfKit('`unproved` of the kit', () => kit.unproved?.() ?? {});
      const started = await partOfKit('`core` of the kit', () => kit.core(wanted));
      core = started;
      const before = await partOfKit('`core` of the kit', () => startProxy(kit, started));
      proxy = before;
      const settings = settingsOf(started, before.origin);
      const adapter = await partOfKit('`create` of the kit', () => kit.create(settings, servicesOf(started)));
      const personas = await partOfKit('`personas` of the kit', () => kit.personas());
      const subjects: Subject[] = [];
      for (const { customerRef, accountRefs } of personas)
        for (const accountRef of accountRefs)
          subjects.push({
            customerRef,
            accountRef,
            truth: await partOfKit('`truth` of the kit', () => kit.truth(customerRef, accountRef)),
          });
      return new World(kit, started, before, adapter, personas, subjects, unproved, leave);
    } catch (error) {
      leave();
      await proxy?.close();
      await core?.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.leaveZone();
    await partOfKit('`close` of the adapter', () => this.adapter.close());
    await this.proxy.close();
    await partOfKit('`close` of the test core', () => this.core.close());
  }

  /** Another adapter on the same core, closed when `use` is done. */
  async with<T>(
    use: (adapter: CoreAdapter) => Promise<T>,
    origin = this.proxy.origin,
    nowMs?: () => number,
  ): Promise<T> {
    const adapter = await this.kit.create(settingsOf(this.core, origin), servicesOf(this.core, nowMs));
    try {
      return await use(adapter);
    } finally {
      await adapter.close();
    }
  }

  /** A separate world for a check that changes the core's data or time zone. */
  async elsewhere<T>(where: { readonly timeZone?: string }, use: (world: World) => Promise<T>): Promise<T> {
    // West of UTC, where a day begins later: some mistakes show on one side only.
    const world = await World.open(this.kit, where, 'America/St_Johns');
    world.progress = this.progress;
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

  get isOverHttp(): boolean {
    return isOverHttp(this.core.url);
  }

  get source(): CoreSource {
    return this.kit.source ?? (this.isOverHttp ? 'http' : 'tcp');
  }

  has(read: AccountRead | FundsRead): boolean {
    return this.adapter[read] !== undefined;
  }

  get reads(): readonly AccountRead[] {
    return accountReads.filter((read) => this.has(read));
  }

  /** A subject of each kind that the clause needs; without one the clause fails and names the missing kind. */
  need(what: string, fits: (subject: Subject) => boolean): Subject {
    const found = this.subjects.find(fits);
    assert.ok(
      found,
      `the truth has no ${what === '' ? 'account' : what}: give the test core one and state it in personas and truth, ` +
        'or say in `without` why there cannot be one',
    );
    return found;
  }

  /** The account with the most records of the read, among the accounts that may be shown. */
  richest(read: AccountRead): Subject {
    // A history of several pages would only take time: the clause on pages reads it.
    const sizeOf = ({ truth }: Subject): number => {
      const size = truth[read]?.length ?? 0;
      return size > 1_000 ? 1 : size;
    };
    const [richest] = this.subjects
      .filter((subject) => subject.truth.account.permitted)
      .toSorted((a, b) => sizeOf(b) - sizeOf(a));
    assert.ok(
      richest !== undefined && sizeOf(richest) > 0,
      `the truth has no account with ${read}: give the test core one, and name it in personas and truth`,
    );
    return richest;
  }

  /** Each read of a customer's data. Another clause checks health. */
  get everyRead(): readonly AnyRead[] {
    return ['accounts', 'account', ...this.reads, ...fundsReads.filter((read) => this.has(read))];
  }

  /** The subject with which a read is checked. */
  subjectOf(read: AnyRead): Subject {
    if (read === 'findPaymentAccount')
      return this.need('account with a number', ({ truth }) => numbersOf(truth.account).length > 0);
    return read === 'accounts' || read === 'account' || read === 'fundsAvailable'
      ? this.anyAccount
      : this.richest(read);
  }

  get anyAccount(): Subject {
    return this.need('account', ({ truth }) => truth.account.permitted);
  }

  /** All that the adapter says of every account, read once. */
  everything(): Promise<Map<Subject, Snapshot>> {
    this.read_ ??= this.readEverything();
    return this.read_;
  }

  private async readEverything(): Promise<Map<Subject, Snapshot>> {
    const snapshots = new Map<Subject, Snapshot>();
    for (const subject of this.subjects) snapshots.set(subject, await snapshotOf(this.adapter, this.reads, subject));
    return snapshots;
  }
}

/** The settings of an adapter that reaches the test core through the proxy. */
export function settingsOf({ url, variables = {} }: TestCore, origin: string): CoreSettings {
  if (origin === url) return { url, connections, variables: { ...variables, CORE_URL: url } };
  return throughProxy({ url, connections, variables }, origin);
}

function startProxy({ source }: AdapterUnderTest, { url }: TestCore): Promise<CoreProxy> {
  if (source === 'replica') return Promise.resolve(new NoProxy(url));
  return (isOverHttp(url) ? HttpCoreProxy : TcpCoreProxy).start(url);
}

/** A replica's clock shows the time of its data, unless a clause moves it. */
function servicesOf({ replica }: TestCore, nowMs = replica && (() => replica.asOfMs())): CoreServices {
  return nowMs === undefined ? kitServices : { ...kitServices, clock: { nowMs } };
}
