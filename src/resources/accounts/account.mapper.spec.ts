import { describe, expect, it } from '@jest/globals';
import { notingUnread } from '../../../packages/core-adapter/core-rows.js';
import type { CoreAccount } from '../../../packages/core-adapter/core.records.js';
import { profile } from '../../profiles/profile-2.js';
import { toAccount, type AccountView } from './account.mapper.js';

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
const view = (product: AccountView['product'] = { accountSubType: 'Savings' }, detail = true): AccountView => ({
  accountId: 'id',
  detail,
  product,
});

const card: AccountView['product'] = { accountSubType: 'ChargeCard', identifiedBy: 'card' };

describe('toAccount', () => {
  const number = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '08999910010010' };
  const iban = { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB54SBOX08999910010010' };
  const pan = { SchemeName: 'UK.OBIE.PAN', Identification: 'xxxxxxxxxxxx7897' };

  it.each([
    ['CurrentAccount', 'CurrentAccount', [number, iban]],
    ['Savings', 'Savings', [number, iban]],
    ['CreditCard', 'CreditCard', [pan]],
    ['RewardsPayPlus', 'PrePaidCard', [number, iban]],
    ['RoundUp', 'Savings', [number, iban]],
  ] as const)('shows a %s as %s with its own identifications', (product, subType, identifications) => {
    expect(toAccount(account(), view(profile.products[product]))).toEqual({
      AccountId: 'id',
      Currency: 'GBP',
      AccountType: 'Personal',
      AccountSubType: subType,
      Description: 'Everyday',
      Account: identifications,
    });
  });

  it('shows the account type of the product, and otherwise that of the holder', () => {
    const type = (accountType: 'Personal' | 'Business' | undefined, holder: CoreAccount['holder']) =>
      toAccount(account({ holder }), view({ accountSubType: 'Loan', ...(accountType && { accountType }) })).AccountType;
    expect([type(undefined, 'personal'), type(undefined, 'business')]).toEqual(['Personal', 'Business']);
    expect([type('Business', 'personal'), type('Personal', 'business')]).toEqual(['Business', 'Personal']);
  });

  it('withholds identifications without the Detail code', () => {
    for (const product of Object.values(profile.products))
      expect(toAccount(account(), view(product, false)).Account).toBeUndefined();
  });

  it('leaves out members for which the core has no value', () => {
    const bare: CoreAccount = { ref: 'A1', product: 'Savings', currency: 'JPY', permitted: true, holder: 'business' };
    expect(toAccount(bare, view())).toEqual({
      AccountId: 'id',
      Currency: 'JPY',
      AccountType: 'Business',
      AccountSubType: 'Savings',
    });
    expect(toAccount(bare, view(card)).Account).toBeUndefined();
    expect(toAccount({ ...bare, iban: 'GB54SBOX08999910010010' }, view()).Account).toEqual([iban]);
  });

  it('gives a description of at most 35 characters, without a card number, or none', () => {
    const described = (description: string): string | undefined =>
      toAccount(account({ description }), view()).Description;
    expect(described('y'.repeat(36))).toBe('y'.repeat(35));
    expect(described('Card 4929421234567897')).toBe('Card xxxxxxxxxxxx7897');
    expect([described(''), described('  ')]).toEqual([undefined, undefined]);
  });

  it('puts the blanks, dashes and small letters of its numbers in order', () => {
    const typed = { sortCode: '08-99-99', accountNumber: '1001 0010', iban: 'gb54 sbox 0899 9910 0100 10' };
    expect(toAccount(account(typed), view()).Account).toEqual([number, iban]);
  });

  it.each<[string, Partial<CoreAccount>, AccountView['product'], unknown]>([
    ['sortCode', { sortCode: '89999' }, { accountSubType: 'Savings' }, [iban]],
    ['sortCode', { sortCode: '4929421234567897' }, { accountSubType: 'Savings' }, [iban]],
    ['sortCode', { accountNumber: '' }, { accountSubType: 'Savings' }, [iban]],
    ['iban', { iban: 'GB55SBOX08999910010010' }, { accountSubType: 'Savings' }, [number]],
    ['iban', { iban: '' }, { accountSubType: 'Savings' }, [number]],
    ['cardLastFour', { cardLastFour: '4929421234567897' }, card, undefined],
  ])('lacks a number that is not of its form, and names it: %s of %j', (field, over, product, shown) => {
    const { item, unread } = notingUnread(() => toAccount(account(over), view(product)));
    expect([item.Account, unread]).toEqual([shown, [{ field, fault: expect.any(String) }]]);
  });

  it('refuses a record whose currency does not exist', () => {
    expect(() => toAccount(account({ currency: 'QQQ' }), view())).toThrow(RangeError);
  });
});
