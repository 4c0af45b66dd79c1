import { describe, expect, it } from '@jest/globals';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { CoreError, isCoreError } from '../../packages/core-adapter/core-error.js';
import type { FoundAccount, FundsQuestion, StatedAccount } from '../../packages/core-adapter/core.funds.js';
import type { CoreAccount, CoreBalance } from '../../packages/core-adapter/core.records.js';
import { CoreBanking, type CoreAccountHandle } from './core-banking.js';
import { Cores } from './cores.js';
import type { CoreObserver } from './core-observer.js';

const silent: CoreObserver = {
  core: 'some-core',
  read: () => undefined,
  retried: () => undefined,
  shared: () => undefined,
  waiting: () => undefined,
  circuit: () => undefined,
  badRecords: () => undefined,
  unreadFields: () => undefined,
};
const iban = 'GB33BUKB20201555555555';
const account: CoreAccount = {
  ref: 'A1',
  product: 'CurrentAccount',
  currency: 'GBP',
  permitted: true,
  holder: 'personal',
  sortCode: '20-20-15',
  accountNumber: '5555 5555',
  iban,
};
const ofAmy: FoundAccount = { account, holderNames: ['Amy Able'] };
const down = new CoreError('bad-record', 'a page of HTML');

/** A bank with these cores, in their order. */
function bank(...reads: Partial<CoreAdapter>[]): Cores {
  const all = reads.map((own, index) => {
    const adapter: CoreAdapter = {
      name: 'some-adapter',
      pending: 'none',
      missing: {},
      accounts: async () => ({ items: [account], bad: [] }),
      account: async () => account,
      health: async () => undefined,
      close: async () => undefined,
      ...own,
    };
    const products = new Set(['CurrentAccount', 'Savings']);
    const banking = new CoreBanking(adapter, silent, 8, products, new Set(['CurrentAccount']));
    return { name: `core-${index}`, recordedAs: index === 0 ? undefined : `core-${index}`, deadlineMs: 100, banking };
  });
  return new Cores(all, 'refuse', () => undefined);
}

const finds = (found: FoundAccount | undefined) => ({ findPaymentAccount: async () => found });
const fails = { findPaymentAccount: () => Promise.reject(down) };
const context = () => ({ interactionId: 'i', reader: 'tpp-one', signal: new AbortController().signal }) as const;
const anyone = (): boolean => true;
const isAmys = ({ holderNames }: FoundAccount): boolean => holderNames.includes('Amy Able');
const byIban: StatedAccount = { scheme: 'iban', identification: iban };

describe('the account that a TPP names', () => {
  it('is asked for by its number in order, without a customer, and found with its core', async () => {
    const asked: unknown[] = [];
    const findPaymentAccount: CoreAdapter['findPaymentAccount'] = async (...given) => {
      asked.push(given);
      return ofAmy;
    };
    const cores = bank(finds(undefined), { findPaymentAccount });
    for (const [scheme, identification] of [
      ['iban', 'gb33 BUKB 2020-1555 5555 55'],
      ['sort-code', '20-20-15 55555555'],
    ] as const)
      expect(await cores.findPaymentAccount({ scheme, identification }, context(), isAmys)).toEqual({
        ...ofAmy,
        core: 'core-1',
      });
    const shown = { interactionId: 'i', reader: 'tpp-one', signal: expect.any(AbortSignal) };
    expect(asked).toEqual([
      [byIban, shown],
      [{ scheme: 'sort-code', identification: '20201555555555' }, shown],
    ]);
  });

  it('is not found where its number is not of its scheme, and no core is asked', async () => {
    const stated: StatedAccount = { scheme: 'iban', identification: 'GB34BUKB20201555555555' };
    expect(await bank(fails).findPaymentAccount(stated, context(), anyone)).toBeUndefined();
  });

  it('is not found where it is not accepted, where the profile lacks its product, and where no core has it', async () => {
    const ofNobody = { ...ofAmy, account: { ...account, product: 'Mortgage' } };
    for (const cores of [bank(finds(ofNobody)), bank(finds(undefined)), bank({})])
      expect(await cores.findPaymentAccount(byIban, context(), anyone)).toBeUndefined();
    expect(await bank(finds(ofAmy)).findPaymentAccount(byIban, context(), () => false)).toBeUndefined();
  });

  it('is a bad record where the core answers with an account of another number, or two cores have it', async () => {
    const other = finds({ ...ofAmy, account: { ...account, iban: 'GB29NWBK60161331926819' } });
    const without = finds({ ...ofAmy, account: { ...account, iban: undefined } });
    for (const cores of [bank(other), bank(without), bank(finds(ofAmy), finds(ofAmy))])
      await expect(cores.findPaymentAccount(byIban, context(), anyone)).rejects.toMatchObject({ kind: 'bad-record' });
  });

  it('is found while another core is down, and a core that is down hides no answer about a refused account', async () => {
    await expect(bank(fails, finds(ofAmy)).findPaymentAccount(byIban, context(), isAmys)).resolves.toMatchObject(ofAmy);
    for (const found of [undefined, { ...ofAmy, holderNames: ['Ben Bold'] }])
      await expect(bank(finds(found), fails).findPaymentAccount(byIban, context(), isAmys)).rejects.toMatchObject({
        kind: 'bad-record',
        core: 'core-1',
      });
  });

  it('has its answer when the last core has answered', async () => {
    let release = (): void => undefined;
    const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
    let answered = false;
    const cores = bank(finds(ofAmy), { findPaymentAccount: () => held });
    const finding = cores.findPaymentAccount(byIban, context(), isAmys).then(() => (answered = true));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(answered).toBe(false);
    release();
    await finding;
  });
});

describe('the funds of an account', () => {
  const gbp = (minorUnits: bigint) => ({ minorUnits, currency: 'GBP' });
  const asks = (minorUnits: bigint, currency = 'GBP', countOverdraft = true): FundsQuestion => ({
    amount: { minorUnits, currency },
    countOverdraft,
  });
  const handle = (): CoreAccountHandle => ({
    ref: 'A1',
    product: 'CurrentAccount',
    listedProducts: ['CurrentAccount'],
    context: { ...context(), customerRef: 'C1', customerPresent: false },
  });
  const says = (available: boolean, over: Partial<CoreAccount> = {}): Partial<CoreAdapter> => ({
    fundsAvailable: async () => ({ account: { ...account, ...over }, available }),
  });
  const has = (over: Partial<CoreAccount>, ...balances: CoreBalance[]): Partial<CoreAdapter> => ({
    balances: async () => ({ account: { ...account, ...over }, items: balances, bad: [] }),
  });
  const spendable: CoreBalance = { kind: 'available', amount: gbp(-5_00n), at: new Date(0), creditLimit: gbp(20_00n) };

  it('are those that the core confirms, which is asked the question itself', async () => {
    const asked: unknown[] = [];
    const fundsAvailable: CoreAdapter['fundsAvailable'] = async (ref, question, { customerRef }) => {
      asked.push([ref, question, customerRef]);
      return { account, available: true };
    };
    expect(await bank({ fundsAvailable }).fundsAvailable(handle(), asks(15_00n))).toBe('available');
    expect(asked).toEqual([['A1', asks(15_00n), 'C1']]);
    expect(await bank(says(false)).fundsAvailable(handle(), asks(15_00n))).toBe('not-available');
  });

  it('are read from the balances of a core that cannot say, with the overdraft of a product that has one', async () => {
    const cores = bank(has({}, spendable));
    expect(await cores.fundsAvailable(handle(), asks(15_00n))).toBe('available');
    expect(await cores.fundsAvailable(handle(), asks(15_01n))).toBe('not-available');
    expect(await cores.fundsAvailable(handle(), asks(1n, 'GBP', false))).toBe('not-available');
    const savings = bank(has({ product: 'Savings' }, spendable));
    const ofSavings = { ...handle(), listedProducts: ['Savings'] };
    expect(await savings.fundsAvailable(ofSavings, asks(1n))).toBe('not-available');
  });

  it.each([says(true, { currency: 'JPY' }), has({ currency: 'JPY' }, spendable)])(
    'are of another currency where the account is',
    async (reads) => expect(await bank(reads).fundsAvailable(handle(), asks(1n))).toBe('other-currency'),
  );

  it.each([
    ['is blocked', says(true, { permitted: false })],
    ['is blocked, by its balances', has({ permitted: false }, { ...spendable, amount: gbp(99_00n) })],
    ['is refused by the core', { balances: () => Promise.reject(new CoreError('account-not-permitted', 'barred')) }],
    ['is of a product without funds checks', says(true, { product: 'Savings' })],
  ])('are not available where the account %s', async (_, reads) => {
    expect(await bank(reads).fundsAvailable(handle(), asks(1n))).toBe('not-available');
  });

  it.each([
    ['the core answers with another account', says(true, { ref: 'A2' }), 'bad-record'],
    ['the profile lacks the product', says(true, { product: 'Mortgage' }), 'bad-record'],
    ['no balance is available', has({}, { ...spendable, kind: 'booked' }), 'bad-record'],
    ['the core sends no balance', has({}), 'bad-record'],
    ['the core has neither read', {}, 'unavailable'],
  ])('are unknown where %s', async (_, reads, kind) => {
    const fault: unknown = await bank(reads)
      .fundsAvailable(handle(), asks(1n))
      .catch((error: unknown) => error);
    expect(isCoreError(fault) && fault.kind).toBe(kind);
  });
});
