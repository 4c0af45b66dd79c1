import { dayMs, dayOf, monthOf } from '../stamps.js';
import { cardCycles } from './card-cycles.js';
import * as payees from './counterparties.js';
import { forward } from './forwards.js';
import { monthly, weekly } from './history.js';
import type { AccountSpec, MakePersona } from './persona.js';

export const conformance: MakePersona = (nowMs) => ({
  name: 'conformance',
  person: { key: 'C1012', name: 'Kate Example' },
  shows:
    'A single account per product, booked transactions only, and every collection filled: for schema-checked runs.',
  accounts: [everyday(nowMs), saver(nowMs), platinumCard(nowMs), rewards(nowMs), roundUp],
});

const everydayHistory: AccountSpec['history'] = [
  monthly(25, { name: 'pay', time: '06:00', amount: 1800_00, text: 'SALARY', valueAfter: 0 }),
  weekly(3, { name: 'shop', time: '12:00', amount: -45_00, spread: 700, text: 'GROCER', madeMinutesBefore: 10 }),
  monthly(9, { name: 'fx', time: '14:00', amount: -23_50, text: 'MUSEUM WIEN', fx: { ccy: 'EUR', rate: '1.1702' } }),
];

const everydayPayees: AccountSpec['payees'] = [
  { key: 'A101201-B1', sort: 'TP', payee: payees.friend },
  { key: 'A101201-B2', sort: 'NOM', payee: payees.nominated },
  { key: 'A101201-B3', sort: 'XB', payee: payees.german },
  { key: 'A101201-B4', sort: 'OWN', payee: payees.internalSavings },
];

const everydayMandates: AccountSpec['mandates'] = [
  { key: 'A101201-M1', mandate: 'NLE-55', status: 'LIVE', taker: 'NORTHERN LIGHT ENERGY' },
  { key: 'A101201-M2', mandate: 'GYM-66', status: 'LAPSED', taker: 'QUAYSIDE GYM' },
];

function everyday(nowMs: number): AccountSpec {
  return {
    key: 'A101201',
    prod: 'CUR100',
    label: 'Everyday Current Account',
    num: '10010117',
    closing: 1000_00,
    arranged: 300_00,
    history: everydayHistory,
    forwards: [forward(nowMs, 15, { key: 'A101201-S1', ref: 'DENTIST', amt: 85_00, payee: payees.friend })],
    payees: everydayPayees,
    mandates: everydayMandates,
    orders: [
      {
        key: 'A101201-O1',
        rule: 'M1/15',
        ref: 'RENT',
        first: dayOf(nowMs - 200 * dayMs),
        next: dayOf(nowMs + 10 * dayMs),
        last: dayOf(nowMs + 400 * dayMs),
        status: 'ON',
        amt: 650_00,
        ccy: 'GBP',
        reach: 'DOM',
        payee: payees.landlord,
      },
    ],
    terms: [payees.everydayTerms],
  };
}

const saverPayees: AccountSpec['payees'] = [
  { key: 'A101202-B1', sort: 'NOM', payee: payees.nominated },
  { key: 'A101202-B2', sort: 'OWN', payee: payees.internalSavings },
];

function saver(nowMs: number): AccountSpec {
  return {
    key: 'A101202',
    prod: 'SAV300',
    label: 'Saver',
    num: '20030052',
    closing: 5000_00,
    history: [monthly(31, { name: 'interest', time: '05:00', amount: 12_50, text: 'GROSS INTEREST', valueAfter: 1 })],
    forwards: [forward(nowMs, 15, { key: 'A101202-S1', ref: 'TO CURRENT', amt: 100_00, payee: payees.nominated })],
    payees: saverPayees,
  };
}

const platinumCardHistory: AccountSpec['history'] = [
  weekly(5, { name: 'food', time: '20:00', amount: -30_00, spread: 500, text: 'RESTAURANT', madeMinutesBefore: 15 }),
  monthly(13, { name: 'paid', time: '09:00', amount: 100_00, text: 'PAYMENT RECEIVED' }),
];

function platinumCard(nowMs: number): AccountSpec {
  return {
    key: 'A101203',
    prod: 'CRD400',
    label: 'Platinum Card',
    cardDigits: '492942555566667',
    closing: -210_00,
    limit: 2000_00,
    history: platinumCardHistory,
    promos: [
      {
        until: monthOf(nowMs + 300 * dayMs),
        feeBp: 299,
        capBp: 9500,
        least: 100_00,
        leastFee: 3_00,
        annBp: 0,
        by: dayOf(nowMs + 90 * dayMs),
      },
    ],
    cycles: cardCycles(nowMs, 12, { owed: 180_00, least: 25_00 }),
  };
}

const rewardsPayees: AccountSpec['payees'] = [
  { key: 'A101204-B1', sort: 'TP', payee: payees.friend },
  { key: 'A101204-B2', sort: 'NOM', payee: payees.nominated },
  { key: 'A101204-B3', sort: 'OWN', payee: payees.internalSavings },
];

function rewards(nowMs: number): AccountSpec {
  return {
    key: 'A101204',
    prod: 'RWD500',
    label: 'Rewards Pay+',
    num: '20030060',
    cardDigits: '465858300012345',
    closing: 55_00,
    history: [weekly(2, { name: 'coffee', time: '08:45', amount: -3_40, text: 'COFFEE', madeMinutesBefore: 1 })],
    forwards: [forward(nowMs, 15, { key: 'A101204-S1', ref: 'PRESENT', amt: 20_00, payee: payees.friend })],
    payees: rewardsPayees,
  };
}

const roundUp: AccountSpec = {
  key: 'A101205',
  prod: 'RUP600',
  label: 'Round Up',
  num: '20030079',
  withIban: false,
  closing: 12_34,
  history: [weekly(7, { name: 'roundup', time: '22:00', amount: 45, spread: 40, text: 'ROUND UP' })],
};
