import type {
  AccountTruth,
  AdapterUnderTest,
  TestDelivery,
  TestReplica,
} from '../../packages/adapter-kit/adapter-kit.js';
import type { CoreAdapter, CoreContext, CoreRead } from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreAccount, CoreBalance } from '../../packages/core-adapter/core.records.js';
import type { CoreClock } from '../../packages/core-adapter/core-services.js';

const firstAsOfMs = Date.parse('2026-11-20T23:59:59.500Z');
const maxAgeMs = 86_400_000;
const missing = 'the tiny replica has accounts and balances only';

/** The data that a replica holds. */
export interface TinyData {
  readonly asOfMs: number;
  readonly balances: readonly CoreBalance[];
}

const account: CoreAccount = { ref: 'A-1', product: 'Savings', currency: 'GBP', permitted: true, holder: 'personal' };
const balance: CoreBalance = {
  kind: 'booked',
  amount: { minorUnits: 5n, currency: 'GBP' },
  at: new Date('2026-11-20T12:00:17.250Z'),
};

/** Takes deliveries as they should be taken; a flaw overrides it. */
export class TinyReplica implements TestReplica {
  readonly maxAgeMs = maxAgeMs;
  data: TinyData = { asOfMs: firstAsOfMs, balances: [balance] };

  asOfMs(): number {
    return this.data.asOfMs;
  }

  deliver(delivery: TestDelivery): Promise<boolean> {
    const taken = delivery === 'newer';
    if (taken) this.data = { ...this.data, asOfMs: this.data.asOfMs + 1_000 };
    return Promise.resolve(taken);
  }
}

/** Reads the replica of its process. */
export class TinyReplicaAdapter implements CoreAdapter {
  readonly name = 'tiny-replica';
  readonly pending = 'none';
  readonly missing = {
    transactions: missing,
    party: missing,
    offers: missing,
    scheduledPayments: missing,
    beneficiaries: missing,
    statements: missing,
    directDebits: missing,
    standingOrders: missing,
    product: missing,
    findPaymentAccount: missing,
    fundsAvailable: missing,
  };

  constructor(
    readonly replica: TinyReplica,
    private readonly clock: CoreClock,
  ) {}

  async accounts(): Promise<{ items: CoreAccount[]; bad: [] }> {
    await this.fresh();
    return { items: [account], bad: [] };
  }

  async account(_: string, context: CoreContext): Promise<CoreAccount> {
    void context;
    await this.fresh();
    return account;
  }

  async balances(): Promise<CoreRead<CoreBalance>> {
    const { balances } = await this.fresh();
    return { account, items: balances, bad: [] };
  }

  async health(): Promise<void> {
    await this.fresh();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get data(): TinyData {
    return this.replica.data;
  }

  isStale({ asOfMs }: TinyData): boolean {
    return this.clock.nowMs() - asOfMs > maxAgeMs;
  }

  private async fresh(): Promise<TinyData> {
    // A real replica reads files, which lets a delivery in between.
    await new Promise((resolve) => setImmediate(resolve));
    const { data } = this;
    if (this.isStale(data)) throw new CoreError('stale', `its data are of ${new Date(data.asOfMs).toISOString()}`);
    return data;
  }
}

export type TinyReplicaParts = {
  readonly Replica: new () => TinyReplica;
  readonly Adapter: new (replica: TinyReplica, clock: CoreClock) => TinyReplicaAdapter;
};

export function tinyReplicaKit({ Replica, Adapter }: TinyReplicaParts): AdapterUnderTest {
  const replicas = new Map<string, TinyReplica>();
  const truth: AccountTruth = { account, balances: [balance] };
  return {
    source: 'replica',
    core: () => {
      const replica = new Replica();
      const url = `file:///tiny-${replicas.size}`;
      replicas.set(url, replica);
      return Promise.resolve({ url, replica, close: () => Promise.resolve() });
    },
    create: ({ url }, { clock }) => new Adapter(replicas.get(url) as TinyReplica, clock),
    personas: () => [{ customerRef: 'anna', accountRefs: ['A-1'] }],
    truth: () => truth,
  };
}
