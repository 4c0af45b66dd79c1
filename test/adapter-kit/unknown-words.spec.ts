import { describe, expect, it } from '@jest/globals';
import { checkCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import type { Tiny } from './flaw.js';
import { tinyKit } from './tiny-core.js';
import { TinyAdapter, type WordList } from './tiny.adapter.js';

/** Reads the words of one list in its own way. */
const reading = (wanted: WordList, meaningOf: (word: string) => unknown): Tiny =>
  class extends TinyAdapter {
    protected override word(list: WordList, value: unknown): unknown {
      return list === wanted && typeof value === 'string' ? meaningOf(value) : super.word(list, value);
    }
  };

async function reasonOf(Adapter: Tiny): Promise<string | undefined> {
  for await (const { reason } of checkCoreAdapter(
    tinyKit((settings) => new Adapter(settings)),
    ['CORE-78'],
  ))
    return reason;
  throw new Error('the clause was not judged');
}

describe('an unknown word of the core', () => {
  it.each<[string, Tiny, string]>([
    [
      'permits an account',
      reading('state', (word) => word !== 'blocked'),
      'accounts of customer anna-0001: an unknown word in the core’s field "permitted" is taken for permitted: true,',
    ],
    [
      'does not permit an account',
      reading('state', (word) => word === 'open'),
      'accounts of customer anna-0001: an unknown word in the core’s field "permitted" is taken for permitted: false,',
    ],
    [
      'becomes a product of the bank',
      reading('product', (word) => (['CurrentAccount', 'CreditCard'].includes(word) ? word : 'Savings')),
      'accounts of customer anna-0001: an unknown word in the core’s field "product" is taken for product: Savings,',
    ],
    [
      'books a transaction',
      reading('entry', (word) => (word === 'pending' ? 'pending' : 'booked')),
      'transactions of account A-10001: an unknown word in the core’s field "status" is taken for status: booked,',
    ],
    [
      'is taken for the available balance',
      reading('figure', (word) => (word === 'booked' ? 'booked' : 'available')),
      'balances of account A-10001: an unknown word in the core’s field "kind" is taken for kind: available,',
    ],
  ])('that %s breaks the clause', async (_, Adapter, sentence) => {
    expect(await reasonOf(Adapter)).toBe(
      `${sentence} where it has to make a bad record: list the core’s words and refuse every other, as \`wordOf\` of the port does`,
    );
  });

  it('that leaves an account out breaks the clause', async () => {
    class Silent extends TinyAdapter {
      override async accounts(...[context]: Parameters<TinyAdapter['accounts']>) {
        const { items, bad } = await super.accounts(context);
        return { items, bad: bad.slice(1) };
      }
    }
    expect(await reasonOf(Silent)).toMatch(/^accounts of customer anna-0001: .*leaves the record out, where/);
  });

  it.each<[string, Tiny]>([
    ['makes a record bad', TinyAdapter],
    ['is handed on as a product, which the gateway judges', reading('product', (word) => word)],
  ])('that %s keeps it', async (_, Adapter) => {
    expect(await reasonOf(Adapter)).toBeUndefined();
  });
});
