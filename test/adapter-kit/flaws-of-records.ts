import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreMoney, CoreTime } from '../../packages/core-adapter/core.records.js';
import { type Flaws, instead, moved, records, without } from './flaw.js';
import type { Shape } from './tiny.adapter.js';

export const flawsOfRecords: Flaws = {
  'CORE-01': [
    'takes whatever it is given for a token',
    (Base) =>
      class extends Base {
        override readToken(value = 'none'): string {
          return value;
        }
      },
  ],
  'CORE-02': [
    'declares a read missing that it serves',
    (Base) =>
      class extends Base {
        override readonly missing = { offers: 'the core has no offers at all' };
      },
  ],
  'CORE-03': [
    'shouts the names of accounts',
    records('account', (account) =>
      account.description === 'Everyday' ? { ...account, description: 'EVERYDAY' } : account,
    ),
  ],
  'CORE-04': [
    'turns the list round every second time',
    instead('accounts', (right) => {
      let times = 0;
      return async (context) => {
        const { items, bad } = await right(context);
        return { items: times++ % 2 === 0 ? items : items.toReversed(), bad };
      };
    }),
  ],
  'CORE-05': [
    'takes an account that is read alone for a business’s',
    instead('account', (right) => async (ref, context) => ({ ...(await right(ref, context)), holder: 'business' })),
  ],
  'CORE-06': [
    'calls a strange reference a bad record',
    instead('get', (right) => async (path, where, search) => {
      if (path[1]?.includes('?')) throw new CoreError('bad-record', 'not a reference');
      return right(path, where, search);
    }),
  ],
  'CORE-07': [
    'finds no account of a customer who has none',
    instead('accounts', (right) => async (context) => {
      const found = await right(context);
      if (found.items.length + found.bad.length === 0) throw new CoreError('account-not-found', 'none');
      return found;
    }),
  ],
  'CORE-08': [
    'asks as the owner of the account for every customer',
    instead('get', (right) => ([customer = '', ref = '', ...rest], where, search) => {
      const owner = ref.startsWith('A-1') ? 'anna-0001' : customer;
      return right([owner, ref, ...rest].filter(Boolean), where, search);
    }),
  ],
  'CORE-09': ['permits every account', records('account', (account) => ({ ...account, permitted: true }))],
  'CORE-10': ['forgets overdrafts', records('balances', (balance) => without('creditLimit', balance))],
  'CORE-11': ['forgets exchanges', records('transactions', (transaction) => without('exchange', transaction))],
  'CORE-12': ['names the first holder always', records('party', (party) => ({ ...party, ref: 'P-1' }))],
  'CORE-13': [
    'has its own idea of a fee',
    records('offers', (offer) => (offer.feePercentage === undefined ? offer : { ...offer, feePercentage: '9.99' })),
  ],
  'CORE-14': ['drops the reference', records('scheduledPayments', (payment) => without('reference', payment))],
  'CORE-15': [
    'treats every payee as a third party',
    records('beneficiaries', (one) => ({ ...one, kind: 'third-party' })),
  ],
  'CORE-16': ['takes each statement for an annual one', records('statements', (one) => ({ ...one, type: 'annual' }))],
  'CORE-17': [
    'takes each mandate that is not active for a cancelled one',
    records('directDebits', (one) => ({ ...one, status: one.status === 'active' ? 'active' : 'cancelled' })),
  ],
  'CORE-18': ['knows no rhythm', records('standingOrders', (one) => ({ ...one, frequency: { every: 'other' } }))],
  'CORE-19': ['makes up the code of a product', records('product', (product) => ({ ...product, code: 'STANDARD' }))],
  'CORE-20': [
    'calls no offers a bad record',
    instead('items', (right) => <T extends object>(shape: Shape, rows: unknown) => {
      if (shape === 'offers' && Array.isArray(rows) && rows.length === 0) throw new CoreError('bad-record', 'none');
      return right<T>(shape, rows);
    }),
  ],
  'CORE-21': [
    'counts pounds in numbers',
    records('balances', (balance) => {
      const { minorUnits, currency } = balance.amount as CoreMoney;
      return currency === 'GBP' ? { ...balance, amount: { minorUnits: Number(minorUnits), currency } } : balance;
    }),
  ],
  'CORE-22': [
    'thinks that a yen has a hundred parts',
    instead('money', (right) => (row) => {
      const { minorUnits, currency } = right(row) as CoreMoney;
      return { minorUnits: currency === 'JPY' ? minorUnits * 100n : minorUnits, currency };
    }),
  ],
  'CORE-23': [
    'counts card payments as money in',
    records('transactions', (row) => {
      const { minorUnits, currency } = row.amount as CoreMoney;
      return String(row.id).startsWith('c') ? { ...row, amount: { minorUnits: -minorUnits, currency } } : row;
    }),
  ],
  'CORE-24': [
    'makes midnight of a day',
    records('transactions', (row) => {
      const valueAt = row.valueAt as CoreTime | undefined;
      return valueAt === undefined || valueAt instanceof Date ? row : { ...row, valueAt: new Date(valueAt.date) };
    }),
  ],
  'CORE-25': [
    'puts 29 February on 1 March',
    records('transactions', (row) => moved(row, 'valueAt', ['2024-02-29'], 86_400_000)),
  ],
  'CORE-26': [
    'changes its clocks a day early',
    records('transactions', (row) => moved(row, 'madeAt', ['2026-03-29', '2026-10-25'], 3_600_000)),
  ],
  'CORE-27': ['drops milliseconds', records('transactions', (row) => moved(row, 'madeAt', ['2026-10-31'], -999))],
  'CORE-28': [
    'overlooks the core’s offset from UTC',
    instead(
      'time',
      (right) => (value) => right(typeof value === 'string' ? value.replace(/[+-]\d\d:\d\d$/, '+00:00') : value),
    ),
  ],
  'CORE-29': [
    'includes the upper edge',
    instead('transactions', (right) => (ref, query, context) => {
      const to = query.to && new Date(Math.min(query.to.getTime() + 1, 8.64e15));
      return right(ref, { ...query, to }, context);
    }),
  ],
  'CORE-30': [
    'takes nothing for money out',
    instead('transactions', (right) => async (ref, query, context) => {
      const page = await right(ref, query, context);
      if (query.direction !== 'credit') return page;
      return { ...page, items: page.items.filter(({ amount }) => amount.minorUnits > 0n) };
    }),
  ],
  'CORE-78': [
    'permits an account in a state that it does not know',
    instead(
      'word',
      (right) => (list, value) =>
        list === 'state' && typeof value === 'string' ? value !== 'blocked' : right(list, value),
    ),
  ],
};
