import { describe, expect, it } from '@jest/globals';
import type { AdapterUnderTest } from '../../packages/adapter-kit/adapter-kit.js';
import type { BadRecord } from '../../packages/core-adapter/core.adapter.js';
import { resultOf, rightKit } from './right-kit.js';
import { answers, http, type Make } from './wrong-adapters/wrong-adapter.js';

/** Takes each unknown word in a field of the core's records for a known one. */
const taking = (field: string, word: string): Make =>
  http((right) => ({
    json: (answer) =>
      right.json({ ...answer, text: answer.text.replaceAll(`"${field}":"KIT7Q4"`, `"${field}":"${word}"`) }),
  }));

const reasonOf = async (kit: AdapterUnderTest): Promise<string | undefined> => (await resultOf(kit, 'CORE-78')).reason;

const reasonFor = (place: string, field: string, member: string): string =>
  `${place}: an unknown word in the core’s field "${field}", which decides ${member}, is taken for a known one or leaves the ` +
  'record out, where it must make a bad record: list the core’s words and refuse every other, as `wordOf` of the port does';
const ofAccounts = reasonFor('accounts of customer C4001', 'status', 'permitted');

describe('an unknown word of the core', () => {
  it.each<[string, Make, string]>([
    ['permits an account', taking('status', 'OPEN'), ofAccounts],
    ['does not permit an account', taking('status', 'BARRED'), ofAccounts],
    [
      'becomes a product of the bank',
      taking('prod', 'SAV300'),
      reasonFor('accounts of customer C4001', 'prod', 'product'),
    ],
    ['books a transaction', taking('state', 'POSTED'), reasonFor('transactions of account A10001', 'state', 'status')],
    [
      'is taken for the available balance',
      taking('fig', 'SPEND'),
      reasonFor('balances of account A10001', 'fig', 'kind'),
    ],
    [
      'is taken for a rhythm of months',
      taking('rule', 'M1/1'),
      reasonFor('standingOrders of account A10001', 'rule', 'frequency'),
    ],
    [
      'is taken for a payee with a sort code',
      taking('form', 'UKACC'),
      reasonFor('scheduledPayments of account A10001', 'payee.form', 'creditor.scheme'),
    ],
    [
      'is taken for a payee of another bank',
      taking('sort', 'TP'),
      reasonFor('beneficiaries of account A10001', 'sort', 'kind'),
    ],
    ['leaves an account out', answers('accounts', (found) => ({ ...found, bad: [] })), ofAccounts],
  ])('that %s breaks the clause', async (_, make, sentence) => {
    expect(await reasonOf(make(rightKit))).toBe(sentence);
  });

  it('that is handed on as a product, which the gateway checks, keeps it', async () => {
    const handing = answers<{ readonly bad?: readonly BadRecord[] }>('accounts', ({ items = [], bad = [] }) => {
      const isProduct = bad.some(({ fault }) => fault.startsWith('prod'));
      return isProduct ? { items: [...items, { ...items[0], product: 'KIT7Q4' }], bad: [] } : { items, bad };
    });
    expect(await reasonOf(handing(rightKit))).toBeUndefined();
  });

  it('cannot be checked where the kit does not say in which field a word is, or names one that is not there', async () => {
    const { standingOrders = {}, ...others } = rightKit.codes ?? {};
    const { frequency: _, ...rest } = standingOrders;
    expect(await reasonOf({ ...rightKit, codes: { ...others, standingOrders: rest } })).toMatch(
      /^`codes` of the kit does not say from which fields .* the adapter takes frequency of standingOrders: /,
    );
    const elsewhere = { ...standingOrders, frequency: 'rhythm' };
    expect(await reasonOf({ ...rightKit, codes: { ...others, standingOrders: elsewhere } })).toBe(
      '`codes` of the kit, standingOrders.frequency: no record that the core sends for standingOrders has the field "rhythm"',
    );
  });
});
