import { describe, expect, it } from '@jest/globals';
import { notingUnread } from '../../../packages/core-adapter/core-rows.js';
import type { CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import { toTransaction, type TransactionView } from './transaction.mapper.js';

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

describe('toTransaction', () => {
  it('shows all of a posted transaction, with its date in the bank’s zone', () => {
    expect(toTransaction(booked, view())).toEqual({
      AccountId: 'id',
      TransactionId: 'public-T1',
      CreditDebitIndicator: 'Debit',
      Status: 'Booked',
      BookingDateTime: '2026-06-14T23:30:00+00:00',
      ValueDateTime: '2026-06-16T00:00:00+00:00',
      Amount: { Amount: '12.34', Currency: 'GBP' },
      TransactionInformation: 'SHOP 2026-06-15',
      Balance: { CreditDebitIndicator: 'Debit', Type: 'ClosingBooked', Amount: { Amount: '0.05', Currency: 'GBP' } },
      CurrencyExchange: { SourceCurrency: 'USD', ExchangeRate: '1.2500' },
    });
  });

  it('withholds only the information and the balance without the Detail code', () => {
    const { TransactionInformation: _text, Balance: _balance, ...basic } = toTransaction(booked, view());
    expect(toTransaction(booked, view({}, false))).toEqual(basic);
  });

  it('dates a posted transaction by the time of purchase, where the core knows it', () => {
    const dated = (over: Partial<CoreTransaction>, zone = 'Europe/London'): string | undefined =>
      toTransaction({ ...booked, ...over }, view({ bankTimeZone: zone })).TransactionInformation;
    expect(dated({ madeAt: new Date('2026-06-12T22:59:59Z') })).toBe('SHOP 2026-06-12');
    expect(dated({ madeAt: new Date('2026-06-12T23:00:00Z') })).toBe('SHOP 2026-06-13');
    expect(dated({ madeAt: { date: '2026-06-12' } })).toBe('SHOP 2026-06-12');
    expect(dated({ at: { date: '2026-06-14' } }, 'America/New_York')).toBe('SHOP 2026-06-14');
    expect(dated({}, 'UTC')).toBe('SHOP 2026-06-14');
    expect(dated({ description: 'x '.repeat(400) })).toMatch(/^(x )+2026-06-15$/);
  });

  it('leaves the BookingDateTime and both members of the exchange of a pending transaction empty', () => {
    expect(toTransaction(pending, view())).toEqual({
      AccountId: 'id',
      TransactionId: 'public-T2',
      CreditDebitIndicator: 'Debit',
      Status: 'Pending',
      BookingDateTime: '',
      Amount: { Amount: '0.01', Currency: 'GBP' },
      TransactionInformation: 'SHOP',
      CurrencyExchange: { SourceCurrency: '', ExchangeRate: '' },
    });
  });

  it('shows the expected time of a pending transaction, and no exchange, where the profile asks for it', () => {
    const expected = toTransaction(pending, view({ pendingFields: 'expected' }));
    expect([expected.BookingDateTime, expected.CurrencyExchange]).toEqual(['2026-06-17T00:00:00+00:00', undefined]);
    const { expectedBookingAt: _, ...unknown } = pending;
    expect(toTransaction(unknown, view({ pendingFields: 'expected' })).BookingDateTime).toBe('');
  });

  it('never shows the time of purchase of a pending transaction', () => {
    for (const pendingFields of ['empty', 'expected'] as const)
      expect(JSON.stringify(toTransaction(pending, view({ pendingFields })))).not.toContain('2026-06-14');
  });

  it('signs only the balance where the profile asks for it', () => {
    const signed = toTransaction(booked, view({ amounts: 'signed' }));
    expect([signed.Amount.Amount, signed.Balance?.Amount.Amount]).toEqual(['12.34', '-0.05']);
  });

  it('marks zero as Credit, and keeps the fraction digits of the currency', () => {
    const shown = (minorUnits: bigint, currency: string): string[] => {
      const { CreditDebitIndicator, Amount } = toTransaction({ ...booked, amount: { minorUnits, currency } }, view());
      return [CreditDebitIndicator, Amount.Amount, Amount.Currency];
    };
    expect(shown(0n, 'GBP')).toEqual(['Credit', '0.00', 'GBP']);
    expect(shown(-1234n, 'BHD')).toEqual(['Debit', '1.234', 'BHD']);
    expect(shown(1234n, 'JPY')).toEqual(['Credit', '1234.00', 'JPY']);
  });

  it('leaves out members for which the core has no value', () => {
    const { id, status, amount } = booked;
    expect(toTransaction({ id, status, at, amount }, view())).toEqual({
      AccountId: 'id',
      TransactionId: 'public-T1',
      CreditDebitIndicator: 'Debit',
      Status: 'Booked',
      BookingDateTime: '2026-06-14T23:30:00+00:00',
      Amount: { Amount: '12.34', Currency: 'GBP' },
      TransactionInformation: '2026-06-15',
    });
    const half = { ...booked, exchange: { sourceCurrency: 'USD' } };
    expect(toTransaction(half, view()).CurrencyExchange).toBeUndefined();
    const { description: _, ...silent } = pending;
    expect(toTransaction(silent, view()).TransactionInformation).toBeUndefined();
  });

  it.each<[string, Partial<CoreTransaction>, string]>([
    ...['0', '-1', 'x', '1e5', 'Infinity', '4929421234567897', '0.1234567890123', '31234.5678901234567'].map(
      (rate): [string, Partial<CoreTransaction>, string] => [
        'exchange',
        { exchange: { sourceCurrency: 'USD', rate } },
        'CurrencyExchange',
      ],
    ),
    ['exchange', { exchange: { sourceCurrency: 'DEM', rate: '1' } }, 'CurrencyExchange'],
    ['valueAt', { valueAt: { date: 'infinity' } }, 'ValueDateTime'],
    ['runningBalance', { runningBalance: { minorUnits: 10n ** 16n, currency: 'GBP' } }, 'Balance'],
    ['runningBalance', { runningBalance: {} as never }, 'Balance'],
  ])('lacks an optional field that the standard cannot express, and names it: %s of %p', (field, over, member) => {
    const { item, unread } = notingUnread(() => toTransaction({ ...booked, ...over }, view()));
    expect(item).toEqual({ ...toTransaction(booked, view()), [member]: undefined });
    expect(unread).toEqual([{ field, fault: expect.any(String) }]);
  });

  it('is dated by the booking where the time of purchase cannot be read, and empty where the expected booking cannot', () => {
    const dated = notingUnread(() => toTransaction({ ...booked, madeAt: { date: '' } }, view()));
    expect([dated.item.TransactionInformation, dated.unread[0]?.field]).toEqual(['SHOP 2026-06-15', 'madeAt']);
    const expected = notingUnread(() =>
      toTransaction({ ...pending, expectedBookingAt: { date: '' } }, view({ pendingFields: 'expected' })),
    );
    expect([expected.item.BookingDateTime, expected.unread[0]?.field]).toEqual(['', 'expectedBookingAt']);
  });

  it.each([
    ['123456789.123456789', '123456789.123456789'],
    ['0.0000001', '0.0000001'],
    ['007.50', '7.50'],
  ])('keeps every digit of the rate %s', (rate, shown) => {
    const exchange = { sourceCurrency: 'USD', rate };
    expect(toTransaction({ ...booked, exchange }, view()).CurrencyExchange?.ExchangeRate).toBe(shown);
  });

  it('refuses a record whose currency, amount or time is invalid', () => {
    for (const over of [
      { amount: { minorUnits: 1n, currency: 'QQQ' } },
      { amount: { minorUnits: 10n ** 16n, currency: 'GBP' } },
      { at: new Date(Number.NaN) },
      { at: { date: '2026-02-30' } },
      { amount: { minorUnits: undefined as never, currency: 'GBP' } },
    ])
      expect(() => toTransaction({ ...booked, ...over }, view())).toThrow(RangeError);
  });
});
