import { cardNumber } from '../numbers.js';
import { dayMs, dayOf } from '../stamps.js';
import * as payees from './counterparties.js';
import { forward } from './forwards.js';
import { monthly, weekly } from './history.js';
import type { AccountSpec } from './persona.js';

/** The digits of the platinum card, which is paid from the current account. */
export const cardDigits = '492942123456789';

const everydayHistory: AccountSpec['history'] = [
  monthly(28, {
    name: 'salary',
    time: '06:01',
    amount: 2450_00,
    text: 'MERIDIAN PUBLISHING SALARY',
    valueAfter: 0,
    details: {
      iso: { family: 'RCDT', sub: 'SALA' },
      own: { code: 'BGC', by: 'Sandbox Bank' },
      cat: 'SALA',
      purp: 'SALA',
      payer: { form: 'UKACC', id: '30-99-50 00445566', name: 'Clearwater Payroll', bank: { bic: 'SBOXGB2L' } },
      payerFor: { name: 'Meridian Publishing', lei: '2138SANDBOXPAYROLL12' },
    },
  }),
  monthly(1, {
    name: 'rent',
    time: '06:15',
    amount: -1150_00,
    text: 'HARBOUR LETTINGS LTD  ',
    valueAfter: 0,
    details: {
      iso: { family: 'ICDT', sub: 'STDO' },
      own: { code: 'STO', by: 'Sandbox Bank' },
      purp: 'RENT',
      payee: payees.landlord,
      payeeFor: { name: 'Orla Quinn' },
    },
  }),
  monthly(12, { name: 'card', time: '09:30', amount: -150_00, text: `CARD REPAYMENT ${cardNumber(cardDigits)}` }),
  weekly(6, { name: 'shop', time: '11:42', amount: -64_18, spread: 1500, text: 'GREENGROCER', madeMinutesBefore: 12 }),
  weekly(2, { name: 'bus', time: '07:50', amount: -17_50, text: 'CITY TRANSPORT', dayOnly: true }),
  weekly(4, { name: 'books', time: '18:05', amount: -12_99, spread: 400, text: 'ROWAN BOOKS', madeMinutesBefore: 5 }),
  monthly(15, {
    name: 'cloud',
    time: '13:00',
    amount: -8_71,
    text: 'CIRRUS STORAGE SAN FRANCISCO',
    fx: { ccy: 'USD', rate: '1.2624' },
  }),
  monthly(20, { name: 'verify', time: '10:00', amount: 0, text: 'CARD VERIFICATION' }),
];

const everydayHeld: AccountSpec['held'] = [
  { name: 'cafe', hoursAgo: 3, amount: -4_80, text: 'LANTERN CAFE', dueInDays: 2 },
  {
    name: 'hotel',
    hoursAgo: 20,
    amount: -142_00,
    text: 'HOTEL LISBOA',
    dueInDays: 3,
    fx: { ccy: 'EUR', rate: '1.1725' },
  },
];

const everydayPayees: AccountSpec['payees'] = [
  { key: 'A100101-B1', sort: 'TP', payee: payees.friend },
  { key: 'A100101-B2', sort: 'NOM', payee: payees.nominated },
  { key: 'A100101-B3', sort: 'XB', payee: payees.german },
  { key: 'A100101-B4', sort: 'OWN', payee: payees.internalSavings },
  { key: 'A100101-B5', sort: 'TP', payee: payees.ibanPayee },
];

const everydayMandates: AccountSpec['mandates'] = [
  {
    key: 'A100101-M1',
    mandate: 'NLE-77120034',
    status: 'LIVE',
    taker: 'NORTHERN LIGHT ENERGY  ',
    rule: 'M1/12',
    amount: 'VAR',
    cat: 'SUPP',
    first: '20240112',
    why: 'Gas and electricity',
  },
  { key: 'A100101-M2', mandate: 'GYM-0091', status: 'LAPSED', taker: 'QUAYSIDE GYM' },
];

/** The current account of the persona `complete`. */
export function everyday(nowMs: number): AccountSpec {
  return {
    key: 'A100101',
    prod: 'CUR100',
    label: 'Everyday Current Account  ',
    num: '10010010',
    closing: 1843_27,
    arranged: 500_00,
    history: everydayHistory,
    held: everydayHeld,
    forwards: [
      forward(nowMs, 5, { key: 'S1', ref: 'Dentist', amt: 85_00, payee: payees.friend }),
      forward(nowMs, 9, { key: 'S2', ref: 'Storage Jersey City', amt: 210_00, reach: 'INT', payee: payees.american }),
    ],
    payees: everydayPayees,
    mandates: everydayMandates,
    orders: [
      {
        key: 'A100101-O1',
        rule: 'M1/1',
        ref: 'RENT FLAT 4',
        cat: 'SUPP',
        first: dayOf(nowMs - 700 * dayMs),
        next: dayOf(nowMs + 12 * dayMs),
        last: dayOf(nowMs + 400 * dayMs),
        status: 'ON',
        amt: 1150_00,
        ccy: 'GBP',
        reach: 'DOM',
        payee: payees.landlord,
      },
    ],
    terms: [payees.everydayTerms],
  };
}
