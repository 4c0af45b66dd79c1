import { describe, expect, it, jest } from '@jest/globals';
import { CoreBanking, type CoreAccountHandle, type QueryOf, type RecordSource } from './core-banking.js';
import type { CoreRecord } from './core-record.js';
import type { AccountRead, BadRecord, CoreAdapter, UnreadField } from '../../packages/core-adapter/core.adapter.js';
import { optionalField } from '../../packages/core-adapter/core-rows.js';
import { CoreError, isCoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreAccount, CoreBalance, CoreTransaction } from '../../packages/core-adapter/core.records.js';
import { type CoreObserver, type CoreOutcome } from './core-observer.js';
import type { ReadContext } from './read-context.js';

const account: CoreAccount = { ref: 'A1', product: 'Savings', currency: 'GBP', permitted: true, holder: 'personal' };
const products: ReadonlySet<string> = new Set(['Savings', 'CurrentAccount', 'CreditCard', 'RoundUp']);
const balance: CoreBalance = { kind: 'booked', amount: { minorUnits: 5n, currency: 'GBP' }, at: new Date(0) };
const transaction: CoreTransaction = { id: 'T1', status: 'booked', at: new Date(0), amount: balance.amount };
const bad: BadRecord = { where: 'figures[1]', fault: 'amt: missing' };

class RecordingObserver implements CoreObserver {
  readonly core = 'ledger';
  readonly reads: [string, CoreOutcome][] = [];
  readonly bad: [string, readonly BadRecord[], string][] = [];
  readonly unread: [string, readonly UnreadField[], string][] = [];

  read(read: string, outcome: CoreOutcome): void {
    this.reads.push([read, outcome]);
  }

  retried(): void {}

  shared(): void {}

  waiting(): void {}

  circuit(): void {}

  badRecords(read: string, records: readonly BadRecord[], interactionId: string): void {
    this.bad.push([read, records, interactionId]);
  }

  unreadFields(read: string, fields: readonly UnreadField[], interactionId: string): void {
    this.unread.push([read, fields, interactionId]);
  }
}

function core(reads: Partial<CoreAdapter>): { core: CoreBanking; seen: RecordingObserver } {
  const seen = new RecordingObserver();
  const adapter: CoreAdapter = {
    name: 'test',
    pending: 'id-kept',
    missing: {},
    accounts: async () => ({ items: [account], bad: [] }),
    account: async () => account,
    health: async () => undefined,
    close: async () => undefined,
    ...reads,
  };
  return { core: new CoreBanking(adapter, seen, 8, products, new Set(['CurrentAccount'])), seen };
}

const identified: readonly string[] = [
  'transactions',
  'scheduledPayments',
  'beneficiaries',
  'directDebits',
  'standingOrders',
];
/** A read as its endpoint declares it. */
const source = <R extends AccountRead>(read: R): RecordSource<R> => ({
  read,
  ids: identified.includes(read) ? { uniqueWithin: 'account' } : undefined,
});

const context = (signal: AbortSignal = new AbortController().signal): ReadContext => ({
  interactionId: 'interaction',
  customerRef: 'C1',
  customerPresent: true,
  signal,
  reader: 'tpp-one',
});
const handle = (over: Partial<CoreAccountHandle> = {}): CoreAccountHandle => ({
  ref: 'A1',
  product: 'Savings',
  listedProducts: ['Savings'],
  context: context(),
  ...over,
});
const kindOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => 'answered',
    (error: unknown) => (isCoreError(error) ? error.kind : error),
  );
const same = <T>(record: T): T => record;

/** Reads the records and maps them; for transactions, those of the newest page. */
async function shown<R extends AccountRead, Out>(
  banking: CoreBanking,
  read: R,
  to: CoreAccountHandle,
  map: (record: CoreRecord<R>, account: CoreAccount) => Out | undefined,
): Promise<Out[]> {
  const query = (read === 'transactions' ? [{ read: 'older', limit: 10 }] : []) as QueryOf<R>;
  const { account: now, records } = await banking.read(source(read), to, ...query);
  return records?.map((record) => map(record, now)) ?? [];
}

async function shownAccounts<Out>(banking: CoreBanking, map: (record: CoreAccount) => Out | undefined): Promise<Out[]> {
  return (await banking.accounts(context())).map(map);
}

describe('the connections to the core', () => {
  it.each([
    [undefined, 8],
    [2, 4],
    [3, 2],
    [99, 1],
  ])('are enough for every read that is under way, of which each uses %s', async (connectionsPerRead, reads) => {
    let underWay = 0;
    const { core: banking } = core({
      ...(connectionsPerRead && { connectionsPerRead }),
      account: () => {
        underWay++;
        return new Promise(() => undefined);
      },
    });
    for (let reader = 0; reader < 20; reader++)
      void banking.account(handle({ context: { ...context(), reader: `tpp ${reader}` } }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(underWay).toBe(reads);
  });
});

describe('the state and the product of an account', () => {
  it('let the records pass when both fit', async () => {
    const { core: banking, seen } = core({ balances: async () => ({ account, items: [balance], bad: [] }) });
    expect(await shown(banking, 'balances', handle(), same)).toEqual([balance]);
    expect(seen.reads).toEqual([['balances', 'ok']]);
  });

  it('refuse an account that is not permitted, whether or not its product is listed', async () => {
    const barred = { ...account, permitted: false };
    const { core: banking } = core({
      account: async () => barred,
      balances: async () => ({ account: barred, items: [balance], bad: [] }),
    });
    expect(await kindOf(banking.account(handle()))).toBe('account-not-permitted');
    expect(await kindOf(shown(banking, 'balances', handle(), same))).toBe('account-not-permitted');
    expect(await kindOf(shown(banking, 'balances', handle({ listedProducts: [] }), same))).toBe(
      'account-not-permitted',
    );
  });

  it('return no records for a product that is not listed, after the account’s state and without the records', async () => {
    const balances = jest.fn<NonNullable<CoreAdapter['balances']>>();
    const transactions = jest.fn<NonNullable<CoreAdapter['transactions']>>();
    const { core: banking, seen } = core({ balances, transactions });
    const unlisted = handle({ listedProducts: ['CreditCard'] });
    expect(await shown(banking, 'balances', unlisted, same)).toEqual([]);
    expect(await shown(banking, 'transactions', unlisted, same)).toEqual([]);
    expect([balances.mock.calls, transactions.mock.calls]).toEqual([[], []]);
    expect(seen.reads).toEqual([
      ['account', 'ok'],
      ['account', 'ok'],
    ]);
  });

  it('return no records when the account has become a product that is not listed since it was selected', async () => {
    const changed: CoreAccount = { ...account, product: 'CurrentAccount' };
    const { core: banking } = core({
      balances: async () => ({ account: changed, items: [balance], bad: [] }),
      transactions: async () => ({ account: changed, items: [transaction], bad: [], more: false }),
    });
    expect(await shown(banking, 'balances', handle(), same)).toEqual([]);
    expect(await shown(banking, 'transactions', handle(), same)).toEqual([]);
  });

  it('reach the mapper as they are now, not as they were when the account was selected', async () => {
    const changed: CoreAccount = { ...account, product: 'RoundUp' };
    const { core: banking } = core({
      balances: async () => ({ account: changed, items: [balance], bad: [] }),
      transactions: async () => ({ account: changed, items: [transaction], bad: [], more: false }),
    });
    const both = handle({ listedProducts: ['Savings', 'RoundUp'] });
    const productOf = (_: unknown, { product }: CoreAccount): string => product;
    expect(await shown(banking, 'balances', both, productOf)).toEqual(['RoundUp']);
    expect(await shown(banking, 'transactions', both, productOf)).toEqual(['RoundUp']);
  });

  it('make an account of a product that the profile does not have a bad record, after its state', async () => {
    const unknown: CoreAccount = { ...account, ref: 'A2', product: 'Mortgage' };
    const transactions = async () => ({ account: unknown, items: [], bad: [], more: false });
    const balances = async () => ({ account: unknown, items: [balance], bad: [] });
    const reads = { account: async () => unknown, balances, transactions };
    const { core: banking, seen } = core({ ...reads, accounts: async () => ({ items: [account, unknown], bad: [] }) });
    expect(await shownAccounts(banking, same)).toEqual([account]);
    expect(seen.bad).toEqual([
      ['accounts', [{ where: 'accounts[1]', fault: 'product: not in the profile' }], 'interaction'],
    ]);
    const to = handle({ ref: 'A2' });
    expect(await kindOf(banking.account(to))).toBe('bad-record');
    expect(await kindOf(shown(banking, 'balances', to, same))).toBe('bad-record');
    expect(await kindOf(shown(banking, 'transactions', to, same))).toBe('bad-record');
    const barred = core({ account: async () => ({ ...unknown, permitted: false }) });
    expect(await kindOf(barred.core.account(to))).toBe('account-not-permitted');
  });

  it('fail a list that leaves nothing but accounts of products that the profile does not have', async () => {
    const unknown: CoreAccount = { ...account, ref: 'A2', product: 'constructor' };
    const { core: banking } = core({ accounts: async () => ({ items: [account, unknown], bad: [] }) });
    expect(await kindOf(shownAccounts(banking, () => undefined))).toBe('bad-record');
  });

  it('return the records where the bank has given the product another name since the account was selected', async () => {
    const { core: banking } = core({
      balances: async () => ({ account, items: [balance], bad: [] }),
      transactions: async () => ({ account, items: [transaction], bad: [], more: false }),
    });
    const renamed = handle({ product: 'Nest egg' });
    expect(await shown(banking, 'balances', renamed, same)).toEqual([balance]);
    expect(await shown(banking, 'transactions', renamed, same)).toEqual([transaction]);
    const unlisted = handle({ product: 'Nest egg', listedProducts: ['CreditCard'] });
    expect(await shown(banking, 'balances', unlisted, same)).toEqual([]);
  });

  it('are never those of another account', async () => {
    const { core: banking } = core({ account: async () => ({ ...account, ref: 'A2' }) });
    expect(await kindOf(banking.account(handle()))).toBe('bad-record');
  });
});

function outOfRange(): never {
  throw new RangeError('4929421234567897 is out of range');
}

describe('bad records', () => {
  const mapped = (records: readonly unknown[], error: Error): ((record: unknown) => unknown) => {
    return (record) => {
      if (records.includes(record)) throw error;
      return record;
    };
  };

  it('are omitted and reported, whether the adapter names them or a mapper throws a RangeError', async () => {
    const other = { ...balance };
    const { core: banking, seen } = core({ balances: async () => ({ account, items: [balance, other], bad: [bad] }) });
    const translate = mapped([balance], new RangeError('4929421234567897 is not a currency'));
    expect(await shown(banking, 'balances', handle(), translate)).toEqual([other]);
    const outside = { where: 'balances[0]', fault: 'a value that the standard cannot express' };
    expect(seen.bad).toEqual([['balances', [bad, outside], 'interaction']]);
  });

  it.each(['transactions', 'scheduledPayments', 'beneficiaries', 'directDebits', 'standingOrders'] as const)(
    'are %s with the id of one before them: the first is served, each other is reported by its place alone',
    async (read) => {
      const needed = { ...transaction, mandate: 'M', name: 'N', creditor: {}, dueAt: transaction.at, frequency: {} };
      const ids = ['T-2', 'T-1', 'T-2', 'T-3', 'T-2', 'T-1'];
      const records = ids.map((id, index) => ({ ...needed, id, index })) as never;
      const reads = { [read]: async () => ({ account, items: records, bad: [], more: false }) };
      const { core: banking, seen } = core(reads);
      const indexOf = (record: unknown): number => (record as { index: number }).index;
      const served = await shown(banking, read, handle(), indexOf);
      expect(served).toEqual([0, 1, 3]);
      const repeats = [2, 4, 5].map((index) => ({
        where: `${read}[${index}]`,
        fault: 'it has the id of a record before it',
      }));
      expect(seen.bad).toEqual([[read, repeats, 'interaction']]);
    },
  );

  it('include an account that the core lists twice; an unreadable copy does not hide a good one', async () => {
    const { core: banking, seen } = core({ accounts: async () => ({ items: [account, { ...account }], bad: [] }) });
    expect(await shownAccounts(banking, same)).toEqual([account]);
    expect(seen.bad).toEqual([
      ['accounts', [{ where: 'accounts[1]', fault: 'it has the id of a record before it' }], 'interaction'],
    ]);

    const debit = { id: 'D1', mandate: 'M', name: 'N', status: 'active' };
    const [first, second] = [debit, { ...debit }] as never[];
    const debits = core({ directDebits: async () => ({ account, items: [first, second] as never, bad: [] }) });
    const translate = mapped([first], new RangeError());
    expect(await shown(debits.core, 'directDebits', handle(), translate)).toEqual([second]);
    expect(debits.seen.bad[0]?.[1]).toHaveLength(1);
  });

  it('are not equal records of a kind that has no id', async () => {
    const { core: banking, seen } = core({ offers: async () => ({ account, items: [{}, {}], bad: [] }) });
    expect(await shown(banking, 'offers', handle(), same)).toEqual([{}, {}]);
    expect(seen.bad).toEqual([]);
  });

  it('fail the read when no good record came', async () => {
    const adapterBad = core({ balances: async () => ({ account, items: [], bad: [bad, bad] }) });
    expect(await kindOf(shown(adapterBad.core, 'balances', handle(), same))).toBe('bad-record');
    expect(adapterBad.seen.bad).toHaveLength(1);

    const mapperBad = core({ balances: async () => ({ account, items: [balance], bad: [] }) });
    const translate = mapped([balance], new RangeError());
    const failed = { kind: 'bad-record', core: 'ledger' };
    await expect(shown(mapperBad.core, 'balances', handle(), translate)).rejects.toMatchObject(failed);
  });

  it('include one that lacks what the port says it always has, before a mapper sees it', async () => {
    const { amount: _, ...without } = balance;
    const broken = core({ balances: async () => ({ account, items: [balance, without as CoreBalance], bad: [] }) });
    expect(await shown(broken.core, 'balances', handle(), same)).toEqual([balance]);
    expect(broken.seen.bad).toEqual([
      ['balances', [{ where: 'balances[1]', fault: 'amount: missing' }], 'interaction'],
    ]);
  });

  it('are not records that lack an optional field: both adapter and mapper name it', async () => {
    const unread = [{ where: 'figures[1]', field: 'creditLimit', fault: 'arranged: negative' }];
    const read = core({ balances: async () => ({ account, items: [balance], bad: [], unread }) });
    const translate = (): unknown => optionalField('kind', () => outOfRange());
    expect(await shown(read.core, 'balances', handle(), () => [translate()])).toEqual([[undefined]]);
    const found = { where: 'balances[0]', field: 'kind', fault: 'a value that the standard cannot express' };
    expect([read.seen.bad, read.seen.unread]).toEqual([[], [['balances', [...unread, found], 'interaction']]]);
  });

  it('do not hide another error of a mapper, which is rethrown', async () => {
    const fault = new TypeError('undefined is not a function');
    const { core: banking } = core({ balances: async () => ({ account, items: [balance], bad: [] }) });
    expect(await kindOf(shown(banking, 'balances', handle(), mapped([balance], fault)))).toBe(fault);
  });

  it('leave an answer empty when the mapper omits every good record', async () => {
    const { core: banking } = core({
      beneficiaries: async () => ({
        account,
        items: [{ id: 'B1', kind: 'internal', creditor: {} } as never],
        bad: [bad],
      }),
    });
    expect(await shown(banking, 'beneficiaries', handle(), () => undefined)).toEqual([]);
  });

  it('are never hidden by an empty list of accounts: the bad one may be the one selected', async () => {
    const { core: banking } = core({ accounts: async () => ({ items: [account], bad: [bad] }) });
    expect(await shownAccounts(banking, same)).toEqual([account]);
    expect(await kindOf(shownAccounts(banking, () => undefined))).toBe('bad-record');
  });

  it('include an account of a listed product without any balance', async () => {
    const { core: banking } = core({
      balances: async () => ({ account, items: [], bad: [] }),
      offers: async () => ({ account, items: [], bad: [] }),
    });
    expect(await kindOf(shown(banking, 'balances', handle(), same))).toBe('bad-record');
    expect(await shown(banking, 'offers', handle(), same)).toEqual([]);
  });
});

describe('a fault of a read', () => {
  it('is rethrown as it was thrown, and observed as a CoreError or as a bug', async () => {
    const faults: Error[] = [new CoreError('rate-limited', 'slow down', 7), new TypeError('a bug')];
    for (const fault of faults) {
      const { core: banking, seen } = core({
        account: () => {
          throw fault;
        },
      });
      await expect(banking.account(handle())).rejects.toBe(fault);
      expect(seen.reads).toEqual([['account', isCoreError(fault) ? 'rate-limited' : 'fault']]);
    }
  });

  it('is unavailable for a read that the adapter lacks', async () => {
    const { core: banking } = core({});
    expect(await kindOf(shown(banking, 'balances', handle(), same))).toBe('unavailable');
    expect(await kindOf(shown(banking, 'transactions', handle(), same))).toBe('unavailable');
  });

  it('passes the adapter its own `this`, the account, the query and the context', async () => {
    const query = { read: 'newer', limit: 3 } as const;
    class Adapter {
      readonly name = 'own';
      readonly seen: unknown[] = [];
      async transactions(...given: unknown[]): Promise<unknown> {
        this.seen.push(given);
        return { account, items: [], bad: [], more: false };
      }
      async balances(...given: unknown[]): Promise<unknown> {
        this.seen.push(given);
        return { account, items: [balance], bad: [] };
      }
    }
    const adapter = new Adapter();
    const banking = new CoreBanking(
      adapter as unknown as CoreAdapter,
      new RecordingObserver(),
      8,
      products,
      new Set(['CurrentAccount']),
    );
    const to = handle();
    await banking.read(source('transactions'), to, query);
    await banking.read(source('balances'), to);
    expect(adapter.seen).toEqual([
      ['A1', query, to.context],
      ['A1', to.context],
    ]);
  });
});
