import { cardNumber } from '../numbers.js';
import { dayMs, dayOf, monthOf } from '../stamps.js';
import { cardCycles } from './card-cycles.js';
import * as payees from './counterparties.js';
import { monthly, weekly } from './history.js';
import { makeAccount } from './persona.js';
import type { MakePersona } from './persona.js';

const cardDigits = '492942123456789';

/** Some of its records are on products that must not show them: the core keeps them all the same. */
export const complete: MakePersona = (nowMs) => ({
  name: 'complete',
  person: { key: 'C1001', name: 'Amelia Hart   ' },
  shows: 'All five products, each with its records, pending transactions and an arranged overdraft that is not used.',
  accounts: [
    makeAccount(
      {
        key: 'A100101',
        prod: 'CUR100',
        label: 'Everyday Current Account  ',
        num: '10010010',
        closing: 1843_27,
        arranged: 500_00,
        history: [
          monthly(28, {
            name: 'salary',
            time: '06:01',
            amount: 2450_00,
            text: 'MERIDIAN PUBLISHING SALARY',
            valueAfter: 0,
          }),
          monthly(1, { name: 'rent', time: '06:15', amount: -1150_00, text: 'HARBOUR LETTINGS LTD  ', valueAfter: 0 }),
          monthly(12, {
            name: 'card',
            time: '09:30',
            amount: -150_00,
            text: `CARD REPAYMENT ${cardNumber(cardDigits)}`,
          }),
          weekly(6, {
            name: 'shop',
            time: '11:42',
            amount: -64_18,
            spread: 1500,
            text: 'GREENGROCER',
            madeMinutesBefore: 12,
          }),
          weekly(2, { name: 'bus', time: '07:50', amount: -17_50, text: 'CITY TRANSPORT', dayOnly: true }),
          weekly(4, {
            name: 'books',
            time: '18:05',
            amount: -12_99,
            spread: 400,
            text: 'ROWAN BOOKS',
            madeMinutesBefore: 5,
          }),
          monthly(15, {
            name: 'cloud',
            time: '13:00',
            amount: -8_71,
            text: 'CIRRUS STORAGE SAN FRANCISCO',
            fx: { ccy: 'USD', rate: '1.2624' },
          }),
          monthly(20, { name: 'verify', time: '10:00', amount: 0, text: 'CARD VERIFICATION' }),
        ],
        held: [
          { name: 'cafe', hoursAgo: 3, amount: -4_80, text: 'LANTERN CAFE', dueInDays: 2 },
          {
            name: 'hotel',
            hoursAgo: 20,
            amount: -142_00,
            text: 'HOTEL LISBOA',
            dueInDays: 3,
            fx: { ccy: 'EUR', rate: '1.1725' },
          },
        ],
        forwards: [
          forward('S1', 5, nowMs, 'Dentist', 85_00, 'DOM', payees.friend),
          forward('S2', 9, nowMs, 'Storage Jersey City', 210_00, 'INT', payees.american),
        ],
        payees: [
          { key: 'A100101-B1', sort: 'TP', payee: payees.friend },
          { key: 'A100101-B2', sort: 'NOM', payee: payees.nominated },
          { key: 'A100101-B3', sort: 'XB', payee: payees.german },
          { key: 'A100101-B4', sort: 'OWN', payee: payees.internalSavings },
          { key: 'A100101-B5', sort: 'TP', payee: payees.ibanPayee },
        ],
        mandates: [
          { key: 'A100101-M1', mandate: 'NLE-77120034', status: 'LIVE', taker: 'NORTHERN LIGHT ENERGY  ' },
          { key: 'A100101-M2', mandate: 'GYM-0091', status: 'LAPSED', taker: 'QUAYSIDE GYM' },
        ],
        orders: [
          {
            key: 'A100101-O1',
            rule: 'M1/1',
            ref: 'RENT FLAT 4',
            first: dayOf(nowMs - 700 * dayMs),
            next: dayOf(nowMs + 12 * dayMs),
            last: '',
            status: 'ON',
            amt: 1150_00,
            ccy: 'GBP',
            reach: 'DOM',
            payee: payees.landlord,
          },
        ],
        terms: [payees.everydayTerms],
      },
      nowMs,
    ),
    makeAccount(
      {
        key: 'A100102',
        prod: 'SAV300',
        label: 'Rainy Day Saver',
        num: '20020011',
        closing: 12_500_00,
        history: [
          monthly(31, { name: 'interest', time: '05:00', amount: 31_25, text: 'GROSS INTEREST', valueAfter: 1 }),
          monthly(28, { name: 'save', time: '07:00', amount: 200_00, text: 'FROM EVERYDAY CURRENT ACCOUNT' }),
        ],
        held: [{ name: 'transfer', hoursAgo: 2, amount: -75_00, text: 'TRANSFER UNDER WAY', dueInDays: 1 }],
        forwards: [forward('S3', 14, nowMs, 'To current', 300_00, 'DOM', payees.nominated)],
        payees: [
          { key: 'A100102-B1', sort: 'NOM', payee: payees.nominated },
          { key: 'A100102-B2', sort: 'OWN', payee: { form: 'UKACC', id: '089999 10010010', name: 'Everyday' } },
          { key: 'A100102-B3', sort: 'TP', payee: payees.friend },
        ],
        terms: [{ code: 'SAV300', title: 'Rainy Day Saver', family: 'OTH' }],
      },
      nowMs,
    ),
    makeAccount(
      {
        key: 'A100103',
        prod: 'CRD400',
        label: 'Platinum Card',
        cardDigits,
        closing: -612_44,
        limit: 4500_00,
        history: [
          weekly(5, {
            name: 'food',
            time: '19:40',
            amount: -38_60,
            spread: 900,
            text: 'OSTERIA NOVA',
            madeMinutesBefore: 30,
          }),
          monthly(12, { name: 'paid', time: '09:30', amount: 150_00, text: 'PAYMENT RECEIVED THANK YOU' }),
          monthly(8, {
            name: 'rail',
            time: '08:20',
            amount: -54_10,
            text: 'SNCF PARIS',
            fx: { ccy: 'EUR', rate: '1.1681' },
          }),
        ],
        held: [
          {
            name: 'shoes',
            hoursAgo: 6,
            amount: -79_00,
            text: 'SCARPE MILANO',
            dueInDays: 2,
            fx: { ccy: 'EUR', rate: '1.1730' },
          },
          { name: 'petrol', hoursAgo: 30, amount: -52_12, text: 'PUMP 4 FORECOURT', dueInDays: 1 },
        ],
        promos: [
          {
            until: monthOf(nowMs + 200 * dayMs),
            feeBp: 299,
            capBp: 9500,
            least: 100_00,
            leastFee: 3_00,
            annBp: 0,
            by: dayOf(nowMs + 40 * dayMs),
          },
          {
            until: monthOf(nowMs + 380 * dayMs),
            feeBp: '',
            capBp: 9000,
            least: 50_00,
            leastFee: '',
            annBp: 1290,
            by: '',
          },
        ],
        cycles: cardCycles(nowMs, 9, { owed: 541_20, least: 25_00 }),
        payees: [{ key: 'A100103-B1', sort: 'TP', payee: payees.friend }],
        forwards: [forward('S4', 3, nowMs, 'Card payment', 25_00, 'DOM', payees.friend)],
        terms: [{ code: 'CRD400', title: 'Platinum Card', family: 'OTH' }],
      },
      nowMs,
    ),
    makeAccount(
      {
        key: 'A100104',
        prod: 'RWD500',
        label: 'Rewards Pay+',
        num: '20020034',
        cardDigits: '465858100234567',
        closing: 96_40,
        history: [
          weekly(3, {
            name: 'lunch',
            time: '12:31',
            amount: -7_95,
            spread: 200,
            text: 'NOODLE BAR',
            madeMinutesBefore: 3,
          }),
          monthly(2, { name: 'topup', time: '08:00', amount: 40_00, text: 'TOP UP' }),
        ],
        held: [{ name: 'bakery', hoursAgo: 1, amount: -3_20, text: 'CORNER BAKERY', dueInDays: 1 }],
        forwards: [
          forward('S5', 20, nowMs, 'Present', 30_00, 'DOM', payees.friend),
          forward('S6', 21, nowMs, 'Miete', 90_00, 'INT', payees.german),
        ],
        payees: [
          { key: 'A100104-B1', sort: 'TP', payee: payees.friend },
          { key: 'A100104-B2', sort: 'NOM', payee: payees.nominated },
          { key: 'A100104-B3', sort: 'OWN', payee: payees.internalSavings },
          { key: 'A100104-B4', sort: 'XB', payee: payees.german },
        ],
      },
      nowMs,
    ),
    makeAccount(
      {
        key: 'A100105',
        prod: 'RUP600',
        label: 'Round Up',
        num: '20020042',
        withIban: false,
        closing: 37_16,
        history: [weekly(7, { name: 'roundup', time: '23:05', amount: 1_12, spread: 90, text: 'ROUND UP' })],
        held: [{ name: 'pot', hoursAgo: 4, amount: 38, text: 'ROUND UP UNDER WAY', dueInDays: 1 }],
      },
      nowMs,
    ),
  ],
});

function forward(
  key: string,
  inDays: number,
  nowMs: number,
  ref: string,
  amt: number,
  reach: 'DOM' | 'INT',
  payee: (typeof payees)['friend'],
) {
  return { key, on: dayOf(nowMs + inDays * dayMs), how: 'OUT' as const, ref, amt, ccy: 'GBP', reach, payee };
}
