import type { ForwardRow, OrderRow, PayeeForm } from '../ledger.records.js';
import { cardNumber } from '../numbers.js';
import { dayMs, dayOf, stampOf, startOfDay } from '../stamps.js';
import * as payees from './counterparties.js';
import { forward } from './forwards.js';
import { monthly } from './history.js';
import type { MakePersona } from './persona.js';

const account = 'A101101';

export const payer: MakePersona = (nowMs) => ({
  name: 'payer',
  person: { key: 'C1011', name: 'Jonas Petrov' },
  shows: 'Standing orders and direct debits, active or not, in every rhythm, some that the standard cannot express.',
  accounts: [
    {
      key: account,
      prod: 'CUR100',
      label: 'Bills Account',
      num: '10010109',
      closing: 640_00,
      history: [
        monthly(1, { name: 'in', time: '06:00', amount: 1500_00, text: 'FROM JOINT ACCOUNT' }),
        monthly(2, { name: 'dd', time: '03:00', amount: -71_00, text: 'NORTHERN LIGHT ENERGY DD' }),
      ],
      mandates: [
        {
          key: `${account}-M1`,
          mandate: 'NLE-10020030',
          status: 'LIVE',
          taker: 'NORTHERN LIGHT ENERGY',
          rule: 'M3/1',
          amount: 'FIX',
          first: '20250301',
        },
        { key: `${account}-M2`, mandate: 'WATER 0001 2233', status: 'LIVE', taker: 'TWO RIVERS WATER   ' },
        { key: `${account}-M3`, mandate: 'OLDTEL-1', status: 'LAPSED', taker: 'OLDTOWN TELEPHONE' },
        { key: `${account}-M4`, mandate: 'GYM-4', status: 'STOPPED', taker: 'QUAYSIDE GYM', rule: 'W1/1' },
        { key: `${account}-M5`, mandate: 'PRESS-5', status: 'PAUSED', taker: 'MERIDIAN PUBLISHING', amount: 'USE' },
      ],
      orders: orders(nowMs),
      forwards: forwards(nowMs),
      payees: [
        { key: `${account}-B1`, sort: 'TP', payee: payees.friend },
        { key: `${account}-B2`, sort: 'XB', payee: payees.american },
      ],
      terms: [payees.everydayTerms],
    },
  ],
});

function orders(nowMs: number): OrderRow[] {
  return [
    order(nowMs, 1, 'M1/1', 'RENT', 1150_00, payees.landlord),
    order(nowMs, 2, 'M3/-1', 'QUARTER END', 90_00, payees.energy),
    order(nowMs, 3, 'W1/5', 'FRIDAY LESSON', 25_00, payees.friend),
    order(nowMs, 4, 'WD', 'LUNCH FUND', 4_00, payees.friend),
    order(nowMs, 5, 'D1', 'A POUND A DAY', 1_00, payees.internalSavings),
    order(nowMs, 6, 'D10', 'EVERY TEN DAYS', 10_00, payees.internalSavings),
    order(nowMs, 7, 'MW2/3', 'CHOIR SECOND WEDNESDAY', 12_00, payees.friend),
    order(nowMs, 8, 'Q/E', 'ENGLISH QUARTER DAY', 300_00, payees.landlord),
    order(nowMs, 9, 'Q/S', 'SCOTTISH QUARTER DAY', 310_00, payees.landlord),
    order(nowMs, 10, 'Q/R', '', 320_00, payees.landlord),
    order(nowMs, 11, 'M8/15', 'EVERY EIGHT MONTHS', 55_00, payees.friend),
    order(nowMs, 12, 'W12/2', 'EVERY TWELVE WEEKS', 56_00, payees.friend),
    order(nowMs, 13, 'M1/-9', 'NINTH DAY FROM THE END', 57_00, payees.friend),
    order(nowMs, 14, 'EASTER', 'EGGS', 5_00, payees.friend),
    {
      ...order(nowMs, 15, 'M12/29', 'ENDED', 60_00, payees.friend),
      status: 'DONE',
      next: '',
      amt: '',
      last: dayOf(nowMs - 90 * dayMs),
    },
    { ...order(nowMs, 16, 'M1/10', 'MIETE', 480_00, payees.german), reach: 'INT', ccy: 'EUR' },
    { ...order(nowMs, 17, 'M1/28', 'STORAGE', 75_00, payees.american), reach: 'INT', ccy: 'USD', status: 'OFF' },
    { ...order(nowMs, 18, 'M1/15', 'PAUSED', 20_00, payees.friend), status: 'PAUSED' },
    { ...order(nowMs, 19, 'M1/15', 'CANCELLED', 20_00, payees.friend), status: 'OFF', next: '', amt: '' },
  ];
}

function forwards(nowMs: number): ForwardRow[] {
  const ready = stampOf(startOfDay(nowMs) + 8 * dayMs + 9 * 3_600_000);
  const german = { reach: 'INT', ccy: 'EUR', payee: payees.german } as const;
  return [
    forward(nowMs, 3, { key: `${account}-S1`, ref: 'GARAGE', amt: 120_00, payee: payees.friend }),
    forward(nowMs, 8, {
      key: `${account}-S2`,
      on: ready,
      how: 'ARR',
      ref: 'DEPOSIT',
      amt: 500_00,
      payee: payees.landlord,
    }),
    forward(nowMs, 9, { key: `${account}-S3`, ref: 'RECHNUNG 7', amt: 99_00, ...german }),
    // A reference is its own field: it stays as it is, even where it could be a card number.
    forward(nowMs, 12, {
      key: `${account}-S4`,
      ref: cardNumber('492942123456789'),
      amt: 75_00,
      payee: payees.ibanPayee,
    }),
  ];
}

function order(nowMs: number, number: number, rule: string, ref: string, amt: number, payee: PayeeForm): OrderRow {
  return {
    key: `${account}-O${number}`,
    rule,
    ref,
    first: dayOf(nowMs - (365 + number) * dayMs),
    next: dayOf(nowMs + number * dayMs),
    last: number % 2 === 0 ? dayOf(nowMs + 400 * dayMs) : '',
    status: 'ON',
    amt,
    ccy: 'GBP',
    reach: 'DOM',
    payee,
  };
}
