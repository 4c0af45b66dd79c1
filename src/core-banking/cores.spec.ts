import { describe, expect, it } from '@jest/globals';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { CoreAccount } from '../../packages/core-adapter/core.records.js';
import { CoreBanking } from './core-banking.js';
import { Cores, type UnreachableCoreRule } from './cores.js';
import type { CoreObserver } from './core-observer.js';
import { TooManyReads } from './guarded-reads.js';
import type { ReadContext } from './read-context.js';

class Unobserved implements CoreObserver {
  readonly core = 'ledger';
  read(): void {}
  retried(): void {}
  shared(): void {}
  waiting(): void {}
  circuit(): void {}
  badRecords(): void {}

  unreadFields(): void {}
}

const htmlPage = new CoreError('bad-record', 'a page of HTML');
type Accounts = CoreAdapter['accounts'];
const account: CoreAccount = { ref: 'A1', product: 'Savings', currency: 'GBP', permitted: true, holder: 'personal' };
const lists: Accounts = async () => ({ items: [account], bad: [] });
const fails: Accounts = () => Promise.reject(htmlPage);
const hangs: Accounts = () => new Promise(() => undefined);

interface Made {
  readonly cores: Cores;
  readonly omitted: string[];
}

/** `ledger` is the first core. */
function made(rule: UnreachableCoreRule, reads: Readonly<Record<'ledger' | 'cards', Accounts>>): Made {
  const omitted: string[] = [];
  const guarded = (['ledger', 'cards'] as const).map((name, index) => {
    const adapter: CoreAdapter = {
      name: 'some-adapter',
      pending: 'none',
      missing: {},
      accounts: reads[name],
      account: async () => ({ ...account, description: name }),
      health: async () => undefined,
      close: async () => undefined,
    };
    const banking = new CoreBanking(adapter, new Unobserved(), 8, new Set(['Savings']), new Set());
    return { name, recordedAs: name === 'ledger' ? undefined : name, deadlineMs: 100 * (index + 1), banking };
  });
  return { cores: new Cores(guarded, rule, (core) => omitted.push(core)), omitted };
}

const shared = { interactionId: 'interaction', customerPresent: true, reader: 'tpp-one' } as const;
const context = (signal = new AbortController().signal): Omit<ReadContext, 'customerRef'> => ({ ...shared, signal });
const customer = { customerRef: 'C1' };

describe('the cores of a bank', () => {
  const { cores } = made('refuse', { ledger: lists, cards: lists });

  it('are read side by side, and each account comes with the core that has it', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const waits: Accounts = async (asked) => {
      await held;
      return lists(asked);
    };
    const releases: Accounts = (asked) => {
      release();
      return lists(asked);
    };
    // The second core is asked while the first one has not answered, or this would never end.
    const both = made('refuse', { ledger: waits, cards: releases }).cores;
    const { items, unreachable } = await both.accounts(context(), both.customerAt(customer), ({ ref }, core) => [
      core,
      ref,
    ]);
    expect([items, unreachable]).toEqual([
      [
        [undefined, 'A1'],
        ['cards', 'A1'],
      ],
      [],
    ]);
  });

  it('each get the customer’s reference there, and nothing of the references elsewhere', async () => {
    const asked: unknown[] = [];
    const notes: Accounts = async (given) => {
      asked.push(given);
      return lists(given);
    };
    const noting = made('refuse', { ledger: notes, cards: notes }).cores;
    const named = { customerRef: 'C1', customerRefs: { cards: 'K-7' } };
    await noting.accounts(context(), noting.customerAt(named), () => undefined);
    expect(asked).toEqual([
      { ...shared, signal: expect.any(AbortSignal), customerRef: 'C1' },
      { ...shared, signal: expect.any(AbortSignal), customerRef: 'K-7' },
    ]);
  });

  it('know no customer whose reference is at an unknown core', () => {
    expect(() => cores.customerAt({ customerRef: 'C1', customerRefs: { crads: 'K-7' } })).toThrow('unknown core');
    expect(cores.unknownIn({ cards: 'K-7', crads: 'K-7', constructor: 'K-7' })).toEqual(['crads', 'constructor']);
  });

  it('are named by the bank, and recorded without a name where the core was the first', () => {
    expect(cores.accountAt('ledger', 'A1')).toEqual({ core: undefined, ref: 'A1' });
    expect(cores.accountAt(undefined, 'A1')).toEqual({ core: undefined, ref: 'A1' });
    expect(cores.accountAt('cards', 'A1')).toEqual({ core: 'cards', ref: 'A1' });
    expect(cores.accountAt('loans', 'A1')).toBeUndefined();
  });

  it('give a request the longest deadline of those that it asks', () => {
    expect([cores.deadlineMs(), cores.deadlineMs([undefined]), cores.deadlineMs(['cards'])]).toEqual([200, 100, 200]);
  });

  it('are each asked for their own account only, and a core that is no longer there is unavailable', async () => {
    const handle = (core: string | undefined) => ({
      ...({ core, ref: 'A1', product: 'Savings', listedProducts: ['Savings'] } as const),
      context: { ...context(), customerRef: 'C1' },
    });
    expect((await cores.account(handle('cards'))).description).toBe('cards');
    expect((await cores.account(handle(undefined))).description).toBe('ledger');
    await expect(cores.account(handle('loans'))).rejects.toMatchObject({ core: 'loans', kind: 'unavailable' });
  });
});

describe('a list of accounts while a core is unreachable', () => {
  const ask = ({ cores }: Made, signal?: AbortSignal, rule?: UnreachableCoreRule) =>
    cores.accounts(context(signal), cores.customerAt(customer), ({ ref }, core) => `${core}/${ref}`, rule);

  it('fails, unless the setting or the caller wants the rest', async () => {
    const refusing = made('refuse', { ledger: lists, cards: fails });
    await expect(ask(refusing)).rejects.toMatchObject({ core: 'cards', kind: htmlPage.kind, detail: htmlPage.detail });
    expect(refusing.omitted).toEqual([]);
    expect(await ask(refusing, undefined, 'partial')).toEqual({ items: ['undefined/A1'], unreachable: ['cards'] });
  });

  it('has the others’ accounts with partial, names the core and counts it', async () => {
    const partial = made('partial', { ledger: fails, cards: lists });
    expect(await ask(partial)).toEqual({ items: ['cards/A1'], unreachable: ['ledger'] });
    expect(partial.omitted).toEqual(['ledger']);
  });

  it('waits for a core that hangs until the deadline alone', async () => {
    const deadline = new AbortController();
    const asked = ask(made('partial', { ledger: lists, cards: hangs }), deadline.signal);
    setImmediate(() => deadline.abort());
    expect(await asked).toEqual({ items: ['undefined/A1'], unreachable: ['cards'] });
  });

  it('takes a core at which too many reads of the TPP wait for an unreachable core', async () => {
    const full: Accounts = () => Promise.reject(new TooManyReads());
    const partial = made('partial', { ledger: lists, cards: full });
    expect(await ask(partial)).toEqual({ items: ['undefined/A1'], unreachable: ['cards'] });
    expect(partial.omitted).toEqual(['cards']);
    await expect(ask(partial, undefined, 'refuse')).rejects.toBeInstanceOf(TooManyReads);
  });

  it('fails where no core could be read, and where the fault is not a core’s', async () => {
    await expect(ask(made('partial', { ledger: fails, cards: fails }))).rejects.toMatchObject({ core: 'ledger' });
    const fault = new TypeError('a fault of the gateway');
    const faulty: Accounts = () => Promise.reject(fault);
    await expect(ask(made('partial', { ledger: lists, cards: faulty }))).rejects.toBe(fault);
  });
});
