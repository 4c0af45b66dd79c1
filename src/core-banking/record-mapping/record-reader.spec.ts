import { describe, expect, it } from '@jest/globals';
import { notingUnread, RowFault } from '../../../packages/core-adapter/core-rows.js';
import type { Fields } from './field-kinds.js';
import { fieldsOfReads } from './record-fields.js';
import type { As, Mapping } from './mapping.js';
import { recordReader } from './record-reader.js';

const column = (name: string, as?: As) => ({ column: name, path: name, ...(as && { as }) });
const readerOf = (read: 'transactions' | 'standingOrders', mapping: Mapping) =>
  recordReader(fieldsOfReads[read] as Fields, mapping, {});

const transaction = readerOf('transactions', {
  id: column('ID'),
  status: { value: 'booked' },
  at: column('AT', 'day'),
  valueAt: column('VALUE', 'day'),
  amount: column('AMOUNT', 'decimal'),
  runningBalance: column('BALANCE', 'decimal'),
  exchange: { sourceCurrency: column('CCY'), rate: column('RATE') },
});
const row = {
  ID: 'T1',
  AT: '2026-03-29',
  VALUE: '2026-03-30',
  AMOUNT: '1.00',
  BALANCE: '2.00',
  CCY: 'USD',
  RATE: '1.1',
};

describe('the reader of a mapped record', () => {
  it.each([
    ['valueAt', { VALUE: 'infinity' }, { valueAt: undefined }],
    ['runningBalance', { BALANCE: '2.001' }, { runningBalance: undefined }],
    ['exchange', { CCY: 'DEM' }, { exchange: undefined }],
    ['exchange.rate', { RATE: 'x' }, { exchange: { sourceCurrency: 'USD' } }],
  ])('omits an optional field that it cannot read, and names it: %s', (field, over, lacks) => {
    const { item, unread } = notingUnread(() => transaction({ ...row, ...over }, 'GBP'));
    expect(item).toEqual({ ...transaction(row, 'GBP'), ...lacks });
    expect(unread).toEqual([{ field, fault: expect.any(String) }]);
  });

  it.each([{ ID: '' }, { AT: 'infinity' }, { AMOUNT: '1.001' }])(
    'refuses a record that lacks a required field: %j',
    (over) => {
      expect(() => notingUnread(() => transaction({ ...row, ...over }, 'GBP'))).toThrow(RowFault);
    },
  );

  it('refuses a frequency with a part that it cannot read: without it the order would be paid at other times', () => {
    const order = readerOf('standingOrders', {
      id: column('ID'),
      status: { value: 'active' },
      frequency: {
        every: { value: 'month' },
        weekOfMonth: column('WEEK'),
        weekday: column('WEEKDAY'),
        interval: column('INTERVAL'),
        day: column('DAY'),
      },
      finalPaymentAt: column('END', 'day'),
      creditor: { scheme: { value: 'bban' }, identification: column('PAYEE') },
    });
    const monthly = { ID: 'S1', WEEK: '1', WEEKDAY: '2', INTERVAL: '1', DAY: '3', END: 'infinity', PAYEE: '1' };
    const { item, unread } = notingUnread(() => order(monthly, 'GBP'));
    expect([item.frequency, unread]).toEqual([
      { every: 'month', weekOfMonth: 1, weekday: 2 },
      [{ field: 'finalPaymentAt', fault: 'END: not a day' }],
    ]);
    expect(() => notingUnread(() => order({ ...monthly, WEEK: 'first' }, 'GBP'))).toThrow(
      new RowFault('WEEK', 'not a whole number'),
    );
  });
});
