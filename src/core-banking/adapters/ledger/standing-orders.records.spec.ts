import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { creditor, gbp, namesWhatItCannotRead, payee, secret } from '../../../../test/cores/ledger/ledger.rows.js';
import { toStandingOrder } from './standing-orders.records.js';

const order: Row = {
  key: 'O1',
  rule: 'M1/1',
  ref: 'RENT ',
  first: '20250101',
  next: '20261201',
  last: '',
  status: 'ON',
  amt: 115000,
  ccy: 'GBP',
  reach: 'DOM',
  payee,
};

describe('the ledger’s order', () => {
  it('becomes a standing order', () => {
    expect(toStandingOrder(order)).toEqual({
      id: 'O1',
      frequency: { every: 'month', interval: 1, day: 1 },
      reference: 'RENT',
      firstPaymentAt: { date: '2025-01-01' },
      nextPaymentAt: { date: '2026-12-01' },
      status: 'active',
      nextPaymentAmount: gbp(115000n),
      creditor,
    });
  });

  it.each([
    ['D1', { every: 'day', interval: 1 }],
    ['D10', { every: 'day', interval: 10 }],
    ['WD', { every: 'working-day' }],
    ['W2/5', { every: 'week', interval: 2, weekday: 5 }],
    ['M8/15', { every: 'month', interval: 8, day: 15 }],
    ['M1/-1', { every: 'month', interval: 1, day: -1 }],
    ['MW2/3', { every: 'month', weekOfMonth: 2, weekday: 3 }],
    ['Q/E', { every: 'quarter', days: 'english' }],
    ['Q/S', { every: 'quarter', days: 'scottish' }],
    ['Q/R', { every: 'quarter', days: 'received' }],
    ['EASTER', { every: 'other' }],
  ])('with the rhythm %s has the frequency %j', (rule, frequency) => {
    expect(toStandingOrder({ ...order, rule }).frequency).toEqual(frequency);
  });

  it.each([
    'W1/8',
    'M1/0',
    'M1/32',
    'M-1/5',
    'M1',
    'M1/',
    'D0',
    'D1/1',
    'WD/1',
    'WD2',
    'Q',
    'Q/X',
    'Q1/E',
    'W1/E',
    'constructor',
  ])('with the unknown rhythm %s cannot be read', (rule) => {
    expect(() => toStandingOrder({ ...order, rule })).toThrow('rule: not a known rhythm');
  });

  namesWhatItCannotRead([
    ['rule', toStandingOrder, order, { rule: { not: 'readable' } }],
    ['status', toStandingOrder, order, { status: secret }],
  ]);
});
