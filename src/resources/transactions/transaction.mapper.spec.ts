import { describe, expect, it } from '@jest/globals';
import { notingUnread } from '../../../packages/core-adapter/core-rows.js';
import type { CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import { transactionFields, type TransactionView } from './transaction.mapper.js';

const at = new Date('2026-06-14T23:30:00Z');
const booked: CoreTransaction = {
  id: 'T1',
  status: 'booked',
  at,
  description: 'SHOP',
  valueAt: { date: '2026-06-16' },
  amount: { minorUnits: -12_34n, currency: 'GBP' },
  runningBalance: { minorUnits: -5n, currency: 'GBP' },
  exchange: { sourceCurrency: 'USD', rate: '1.2500' },
  isoTransactionCode: { family: 'ICDT', subFamily: 'DMCT' },
  bankTransactionCode: { code: 'BGC', issuer: 'A Bank' },
  categoryPurpose: 'CASH',
  paymentPurpose: 'RENT',
  creditor: { scheme: 'sort-code', identification: '40478412345670' },
  creditorAgent: { bic: 'SBOXGB2L' },
  ultimateDebtor: { name: 'Anna 4929421234567897' },
};
const pending: CoreTransaction = {
  id: 'T2',
  status: 'pending',
  at,
  madeAt: at,
  expectedBookingAt: { date: '2026-06-17' },
  description: 'SHOP',
  amount: { minorUnits: -1n, currency: 'GBP' },
  exchange: { sourceCurrency: 'USD', rate: '1.25' },
};
const settings = { amounts: 'magnitude', pendingFields: 'empty', bankTimeZone: 'Europe/London' } as const;
const view = (over: Partial<TransactionView['settings']> = {}, detail = true): TransactionView => ({
  accountId: 'id',
  detail,
  settings: { ...settings, ...over },
  publicId: (id) => `public-${id}`,
});

describe('transactionFields', () => {
  it('shows all of a posted transaction, with its date in the bank’s zone', () => {
    expect(transactionFields(booked, view())).toEqual({
      accountId: 'id',
      transactionId: 'public-T1',
      creditDebit: 'Debit',
      status: 'booked',
      bookedAt: '2026-06-14T23:30:00+00:00',
      valueAt: '2026-06-16T00:00:00+00:00',
      amount: { Amount: '12.34', Currency: 'GBP' },
      information: 'SHOP 2026-06-15',
      balance: { creditDebit: 'Debit', amount: { Amount: '0.05', Currency: 'GBP' } },
      exchange: { sourceCurrency: 'USD', rate: '1.2500' },
      isoCode: { family: 'ICDT', subFamily: 'DMCT' },
      bankCode: { code: 'BGC', issuer: 'A Bank' },
      categoryPurpose: 'CASH',
      paymentPurpose: 'RENT',
      creditor: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '40478412345670' },
      creditorAgent: { bic: 'SBOXGB2L' },
      ultimateDebtor: { name: 'Anna xxxxxxxxxxxx7897' },
    });
  });

  it('withholds only the information, the balance and the parties without the Detail code', () => {
    const detailed = ['information', 'balance', 'creditor', 'creditorAgent', 'ultimateDebtor'];
    const basic = Object.entries(transactionFields(booked, view())).filter(([name]) => !detailed.includes(name));
    expect(transactionFields(booked, view({}, false))).toEqual(Object.fromEntries(basic));
  });

  it('lacks each code and account that is not of its form', () => {
    const wrong = {
      isoTransactionCode: { family: 'ICDT', subFamily: 'DomesticCreditTransfer' },
      bankTransactionCode: { code: 'c'.repeat(36) },
      paymentPurpose: 'Rent',
      debtor: { scheme: 'iban', identification: 'GB00' },
      ultimateDebtor: { name: 'Anna', lei: '1' },
    } as const;
    const { item, unread } = notingUnread(() => transactionFields({ ...booked, ...wrong }, view()));
    expect(unread.map(({ field }) => field)).toEqual([
      'isoTransactionCode',
      'bankTransactionCode',
      'paymentPurpose',
      'debtor',
      'ultimateDebtor.lei',
    ]);
    expect([item.isoCode, item.bankCode, item.paymentPurpose, item.debtor]).toEqual(Array(4).fill(undefined));
    expect(item.ultimateDebtor).toEqual({ name: 'Anna' });
  });

  it('dates a posted transaction by the time of purchase, where the core knows it', () => {
    const dated = (over: Partial<CoreTransaction>, zone = 'Europe/London'): string | undefined =>
      transactionFields({ ...booked, ...over }, view({ bankTimeZone: zone })).information;
    expect(dated({ madeAt: new Date('2026-06-12T22:59:59Z') })).toBe('SHOP 2026-06-12');
    expect(dated({ madeAt: new Date('2026-06-12T23:00:00Z') })).toBe('SHOP 2026-06-13');
    expect(dated({ madeAt: { date: '2026-06-12' } })).toBe('SHOP 2026-06-12');
    expect(dated({ at: { date: '2026-06-14' } }, 'America/New_York')).toBe('SHOP 2026-06-14');
    expect(dated({}, 'UTC')).toBe('SHOP 2026-06-14');
    expect(dated({ description: 'x '.repeat(400) })).toMatch(/^(x )+2026-06-15$/);
  });

  it('leaves the booking and both members of the exchange of a pending transaction empty', () => {
    expect(transactionFields(pending, view())).toEqual({
      accountId: 'id',
      transactionId: 'public-T2',
      creditDebit: 'Debit',
      status: 'pending',
      bookedAt: '',
      amount: { Amount: '0.01', Currency: 'GBP' },
      information: 'SHOP',
      exchange: { sourceCurrency: '', rate: '' },
    });
  });

  it('shows the expected time of a pending transaction, and no exchange, where the profile asks for it', () => {
    const expected = transactionFields(pending, view({ pendingFields: 'expected' }));
    expect([expected.bookedAt, expected.exchange]).toEqual(['2026-06-17T00:00:00+00:00', undefined]);
    const { expectedBookingAt: _, ...unknown } = pending;
    expect(transactionFields(unknown, view({ pendingFields: 'expected' })).bookedAt).toBe('');
  });

  it('never shows the time of purchase of a pending transaction', () => {
    for (const pendingFields of ['empty', 'expected'] as const)
      expect(JSON.stringify(transactionFields(pending, view({ pendingFields })))).not.toContain('2026-06-14');
  });

  it('signs only the balance where the profile asks for it', () => {
    const signed = transactionFields(booked, view({ amounts: 'signed' }));
    expect([signed.amount.Amount, signed.balance?.amount.Amount]).toEqual(['12.34', '-0.05']);
  });

  it('marks zero as Credit, and keeps the fraction digits of the currency', () => {
    const shown = (minorUnits: bigint, currency: string): string[] => {
      const { creditDebit, amount } = transactionFields({ ...booked, amount: { minorUnits, currency } }, view());
      return [creditDebit, amount.Amount, amount.Currency];
    };
    expect(shown(0n, 'GBP')).toEqual(['Credit', '0.00', 'GBP']);
    expect(shown(-1234n, 'BHD')).toEqual(['Debit', '1.234', 'BHD']);
    expect(shown(1234n, 'JPY')).toEqual(['Credit', '1234.00', 'JPY']);
  });

  it('omits members for which the core has no value', () => {
    const { id, status, amount } = booked;
    expect(transactionFields({ id, status, at, amount }, view())).toEqual({
      accountId: 'id',
      transactionId: 'public-T1',
      creditDebit: 'Debit',
      status: 'booked',
      bookedAt: '2026-06-14T23:30:00+00:00',
      amount: { Amount: '12.34', Currency: 'GBP' },
      information: '2026-06-15',
    });
    const half = { ...booked, exchange: { sourceCurrency: 'USD' } };
    expect(transactionFields(half, view()).exchange).toBeUndefined();
    const { description: _, ...silent } = pending;
    expect(transactionFields(silent, view()).information).toBeUndefined();
  });

  it.each<[string, Partial<CoreTransaction>, string]>([
    ...['0', '-1', 'x', '1e5', 'Infinity', '4929421234567897', '0.1234567890123', '31234.5678901234567'].map(
      (rate): [string, Partial<CoreTransaction>, string] => [
        'exchange',
        { exchange: { sourceCurrency: 'USD', rate } },
        'exchange',
      ],
    ),
    ['exchange', { exchange: { sourceCurrency: 'DEM', rate: '1' } }, 'exchange'],
    ['valueAt', { valueAt: { date: 'infinity' } }, 'valueAt'],
    ['runningBalance', { runningBalance: { minorUnits: 10n ** 16n, currency: 'GBP' } }, 'balance'],
    ['runningBalance', { runningBalance: {} as never }, 'balance'],
  ])('lacks an optional field that the standard cannot express, and names it: %s of %p', (field, over, member) => {
    const { item, unread } = notingUnread(() => transactionFields({ ...booked, ...over }, view()));
    expect(item).toEqual({ ...transactionFields(booked, view()), [member]: undefined });
    expect(unread).toEqual([{ field, fault: expect.any(String) }]);
  });

  it('is dated by the booking where the time of purchase cannot be read, and empty where the expected booking cannot', () => {
    const dated = notingUnread(() => transactionFields({ ...booked, madeAt: { date: '' } }, view()));
    expect([dated.item.information, dated.unread[0]?.field]).toEqual(['SHOP 2026-06-15', 'madeAt']);
    const expected = notingUnread(() =>
      transactionFields({ ...pending, expectedBookingAt: { date: '' } }, view({ pendingFields: 'expected' })),
    );
    expect([expected.item.bookedAt, expected.unread[0]?.field]).toEqual(['', 'expectedBookingAt']);
  });

  it.each([
    ['123456789.123456789', '123456789.123456789'],
    ['0.0000001', '0.0000001'],
    ['007.50', '7.50'],
  ])('keeps every digit of the rate %s', (rate, shown) => {
    const exchange = { sourceCurrency: 'USD', rate };
    expect(transactionFields({ ...booked, exchange }, view()).exchange?.rate).toBe(shown);
  });

  it('refuses a record whose currency, amount or time is invalid', () => {
    for (const over of [
      { amount: { minorUnits: 1n, currency: 'QQQ' } },
      { amount: { minorUnits: 10n ** 16n, currency: 'GBP' } },
      { at: new Date(Number.NaN) },
      { at: { date: '2026-02-30' } },
      { amount: { minorUnits: undefined as never, currency: 'GBP' } },
    ])
      expect(() => transactionFields({ ...booked, ...over }, view())).toThrow(RangeError);
  });
});
