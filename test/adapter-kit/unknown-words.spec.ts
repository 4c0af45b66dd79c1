import { describe, expect, it } from '@jest/globals';
import { type AdapterUnderTest, checkCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import type { Tiny } from './flaw.js';
import { tinyKit } from './tiny-core.js';
import { TinyAdapter, type WordList } from './tiny.adapter.js';

/** Reads the words of one list in its own way. */
const reading = (wanted: WordList, meaningOf: (word: string) => unknown): Tiny =>
  class extends TinyAdapter {
    override word(list: WordList, value: unknown): unknown {
      return list === wanted && typeof value === 'string' ? meaningOf(value) : super.word(list, value);
    }
  };

async function reasonOf(Adapter: Tiny, codes?: AdapterUnderTest['codes']): Promise<string | undefined> {
  const kit = tinyKit((settings) => new Adapter(settings));
  for await (const { reason } of checkCoreAdapter({ ...kit, ...(codes && { codes }) }, ['CORE-78'])) return reason;
  throw new Error('the clause was not checked');
}

const reasonFor = (place: string, field: string, member: string): string =>
  `${place}: an unknown word in the core’s field "${field}", which decides ${member}, is taken for a known one or leaves the ` +
  'record out, where it must make a bad record: list the core’s words and refuse every other, as `wordOf` of the port does';

describe('an unknown word of the core', () => {
  it.each<[string, Tiny, string]>([
    [
      'permits an account',
      reading('state', (word) => word !== 'blocked'),
      reasonFor('accounts of customer anna-0001', 'permitted', 'permitted'),
    ],
    [
      'does not permit an account',
      reading('state', (word) => word === 'open'),
      reasonFor('accounts of customer anna-0001', 'permitted', 'permitted'),
    ],
    [
      'becomes a product of the bank',
      reading('product', (word) => (['CurrentAccount', 'CreditCard'].includes(word) ? word : 'Savings')),
      reasonFor('accounts of customer anna-0001', 'product', 'product'),
    ],
    [
      'books a transaction',
      reading('entry', (word) => (word === 'pending' ? 'pending' : 'booked')),
      reasonFor('transactions of account A-10001', 'status', 'status'),
    ],
    [
      'is taken for the available balance',
      reading('figure', (word) => (word === 'booked' ? 'booked' : 'available')),
      reasonFor('balances of account A-10001', 'kind', 'kind'),
    ],
    [
      'is taken for a rhythm of months',
      reading('rhythm', (word) => (word === 'week' ? 'week' : 'month')),
      reasonFor('standingOrders of account A-10001', 'frequency.every', 'frequency'),
    ],
    [
      'is taken for a payee with a sort code',
      reading('scheme', (word) => (word === 'iban' ? 'iban' : 'sort-code')),
      reasonFor('scheduledPayments of account A-10001', 'creditor.scheme', 'creditor.scheme'),
    ],
    [
      'is taken for a payee of another bank',
      reading('payee', (word) => (word === 'internal' ? 'internal' : 'third-party')),
      reasonFor('beneficiaries of account A-10001', 'kind', 'kind'),
    ],
  ])('that %s breaks the clause', async (_, Adapter, sentence) => {
    expect(await reasonOf(Adapter)).toBe(sentence);
  });

  it('that leaves an account out breaks the clause', async () => {
    class Silent extends TinyAdapter {
      override async accounts(...[context]: Parameters<TinyAdapter['accounts']>) {
        const { items, bad } = await super.accounts(context);
        return { items, bad: bad.slice(1) };
      }
    }
    expect(await reasonOf(Silent)).toBe(reasonFor('accounts of customer anna-0001', 'permitted', 'permitted'));
  });

  it.each<[string, Tiny]>([
    ['makes a record bad', TinyAdapter],
    ['is handed on as a product, which the gateway checks', reading('product', (word) => word)],
  ])('that %s keeps it', async (_, Adapter) => {
    expect(await reasonOf(Adapter)).toBeUndefined();
  });

  it('cannot be checked where the kit does not say in which field a word is, or names one that is not there', async () => {
    const right = tinyKit((settings) => new TinyAdapter(settings));
    const { standingOrders = {}, ...others } = right.codes ?? {};
    const { frequency: _, ...rest } = standingOrders;
    expect(await reasonOf(TinyAdapter, { ...others, standingOrders: rest })).toMatch(
      /^`codes` of the kit does not say from which fields .* the adapter takes frequency of standingOrders: /,
    );
    const elsewhere = { ...standingOrders, frequency: 'rhythm' };
    expect(await reasonOf(TinyAdapter, { ...others, standingOrders: elsewhere })).toBe(
      '`codes` of the kit, standingOrders.frequency: no record that the core sends for standingOrders has the field "rhythm"',
    );
  });
});
