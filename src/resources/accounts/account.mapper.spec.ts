import { describe, expect, it } from '@jest/globals';
import { notingUnread } from '../../../packages/core-adapter/core-rows.js';
import type { CoreAccount } from '../../../packages/core-adapter/core.records.js';
import { profile } from '../../profiles/profile-2.js';
import { accountFields, type AccountView } from './account.mapper.js';

const account = (over: Partial<CoreAccount> = {}): CoreAccount => ({
  ref: 'A1',
  product: 'Any',
  currency: 'GBP',
  permitted: true,
  holder: 'personal',
  description: 'Everyday',
  sortCode: '089999',
  accountNumber: '10010010',
  iban: 'GB54SBOX08999910010010',
  cardLastFour: '7897',
  ...over,
});
const view = (product: AccountView['product'] = { kind: 'savings' }, detail = true): AccountView => ({
  accountId: 'id',
  detail,
  product,
});

const card: AccountView['product'] = { kind: 'charge-card', identifiedBy: 'card' };

describe('accountFields', () => {
  const number = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '08999910010010' };
  const iban = { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB54SBOX08999910010010' };
  const pan = { SchemeName: 'UK.OBIE.PAN', Identification: 'xxxxxxxxxxxx7897' };

  it.each([
    ['CurrentAccount', 'current-account', [number, iban]],
    ['Savings', 'savings', [number, iban]],
    ['CreditCard', 'credit-card', [pan]],
    ['RewardsPayPlus', 'prepaid-card', [number, iban]],
    ['RoundUp', 'savings', [number, iban]],
  ] as const)('shows a %s as %s with its own numbers', (product, kind, numbers) => {
    expect(accountFields(account(), view(profile.products[product]))).toEqual({
      accountId: 'id',
      currency: 'GBP',
      kind,
      holder: 'personal',
      description: 'Everyday',
      numbers,
    });
  });

  it('says who holds the account: as the product states, and otherwise as the core does', () => {
    const shown = (stated: 'personal' | 'business' | undefined, holder: CoreAccount['holder']) =>
      accountFields(account({ holder }), view({ kind: 'loan', ...(stated && { holder: stated }) })).holder;
    expect([shown(undefined, 'personal'), shown(undefined, 'business')]).toEqual(['personal', 'business']);
    expect([shown('business', 'personal'), shown('personal', 'business')]).toEqual(['business', 'personal']);
  });

  it('withholds the numbers without the Detail code', () => {
    for (const product of Object.values(profile.products))
      expect(accountFields(account(), view(product, false)).numbers).toBeUndefined();
  });

  it('shows the LEI of the holder with the Detail code only, and no wrong one', () => {
    const lei = '2138SANDBOXTRADER116';
    expect(accountFields(account({ lei }), view()).lei).toBe(lei);
    expect(accountFields(account({ lei }), view(undefined, false)).lei).toBeUndefined();
    expect(notingUnread(() => accountFields(account({ lei: 'LEI' }), view()))).toMatchObject({
      item: { lei: undefined },
      unread: [{ field: 'lei' }],
    });
  });

  it('omits members for which the core has no value', () => {
    const bare: CoreAccount = { ref: 'A1', product: 'Savings', currency: 'JPY', permitted: true, holder: 'business' };
    expect(accountFields(bare, view())).toEqual({
      accountId: 'id',
      currency: 'JPY',
      kind: 'savings',
      holder: 'business',
    });
    expect(accountFields(bare, view(card)).numbers).toBeUndefined();
    expect(accountFields({ ...bare, iban: 'GB54SBOX08999910010010' }, view()).numbers).toEqual([iban]);
  });

  it('gives a description of at most 35 characters, without a card number, or none', () => {
    const described = (description: string): string | undefined =>
      accountFields(account({ description }), view()).description;
    expect(described('y'.repeat(36))).toBe('y'.repeat(35));
    expect(described('Card 4929421234567897')).toBe('Card xxxxxxxxxxxx7897');
    expect([described(''), described('  ')]).toEqual([undefined, undefined]);
  });

  it('puts the blanks, dashes and small letters of its numbers in order', () => {
    const typed = { sortCode: '08-99-99', accountNumber: '1001 0010', iban: 'gb54 sbox 0899 9910 0100 10' };
    expect(accountFields(account(typed), view()).numbers).toEqual([number, iban]);
  });

  it.each<[string, Partial<CoreAccount>, AccountView['product'], unknown]>([
    ['sortCode', { sortCode: '89999' }, { kind: 'savings' }, [iban]],
    ['sortCode', { sortCode: '4929421234567897' }, { kind: 'savings' }, [iban]],
    ['sortCode', { accountNumber: '' }, { kind: 'savings' }, [iban]],
    ['iban', { iban: 'GB55SBOX08999910010010' }, { kind: 'savings' }, [number]],
    ['iban', { iban: '' }, { kind: 'savings' }, [number]],
    ['cardLastFour', { cardLastFour: '4929421234567897' }, card, undefined],
  ])('lacks a number that is not of its form, and names it: %s of %j', (field, over, product, shown) => {
    const { item, unread } = notingUnread(() => accountFields(account(over), view(product)));
    expect([item.numbers, unread]).toEqual([shown, [{ field, fault: expect.any(String) }]]);
  });

  it('refuses a record whose currency does not exist', () => {
    expect(() => accountFields(account({ currency: 'QQQ' }), view())).toThrow(RangeError);
  });
});
