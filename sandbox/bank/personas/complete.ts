import { dayMs, dayOf, monthOf } from '../stamps.js';
import { cardCycles } from './card-cycles.js';
import { cardDigits, everyday } from './complete-everyday.js';
import * as payees from './counterparties.js';
import { forward } from './forwards.js';
import { monthly, weekly } from './history.js';
import type { AccountSpec, MakePersona } from './persona.js';

/** Some of its records are on products that must not show them: the core keeps them all the same. */
export const complete: MakePersona = (nowMs) => ({
  name: 'complete',
  person: { key: 'C1001', name: 'Amelia Hart   ' },
  shows: 'All five products, each with its records, pending transactions and an arranged overdraft that is not used.',
  accounts: [everyday(nowMs), saver(nowMs), platinumCard(nowMs), rewards(nowMs), roundUp],
});

const saverHistory: AccountSpec['history'] = [
  monthly(31, { name: 'interest', time: '05:00', amount: 31_25, text: 'GROSS INTEREST', valueAfter: 1 }),
  monthly(28, { name: 'save', time: '07:00', amount: 200_00, text: 'FROM EVERYDAY CURRENT ACCOUNT' }),
];

const saverPayees: AccountSpec['payees'] = [
  { key: 'A100102-B1', sort: 'NOM', payee: payees.nominated },
  { key: 'A100102-B2', sort: 'OWN', payee: { form: 'UKACC', id: '089999 10010010', name: 'Everyday' } },
  { key: 'A100102-B3', sort: 'TP', payee: payees.friend },
];

function saver(nowMs: number): AccountSpec {
  return {
    key: 'A100102',
    prod: 'SAV300',
    label: 'Rainy Day Saver',
    num: '20020011',
    closing: 12_500_00,
    history: saverHistory,
    held: [{ name: 'transfer', hoursAgo: 2, amount: -75_00, text: 'TRANSFER UNDER WAY', dueInDays: 1 }],
    forwards: [forward(nowMs, 14, { key: 'S3', ref: 'To current', amt: 300_00, payee: payees.nominated })],
    payees: saverPayees,
    terms: [{ code: 'SAV300', title: 'Rainy Day Saver', family: 'OTH' }],
  };
}

const platinumCardHistory: AccountSpec['history'] = [
  weekly(5, { name: 'food', time: '19:40', amount: -38_60, spread: 900, text: 'OSTERIA NOVA', madeMinutesBefore: 30 }),
  monthly(12, { name: 'paid', time: '09:30', amount: 150_00, text: 'PAYMENT RECEIVED THANK YOU' }),
  monthly(8, { name: 'rail', time: '08:20', amount: -54_10, text: 'SNCF PARIS', fx: { ccy: 'EUR', rate: '1.1681' } }),
];

const platinumCardHeld: AccountSpec['held'] = [
  {
    name: 'shoes',
    hoursAgo: 6,
    amount: -79_00,
    text: 'SCARPE MILANO',
    dueInDays: 2,
    fx: { ccy: 'EUR', rate: '1.1730' },
  },
  { name: 'petrol', hoursAgo: 30, amount: -52_12, text: 'PUMP 4 FORECOURT', dueInDays: 1 },
];

function platinumCard(nowMs: number): AccountSpec {
  return {
    key: 'A100103',
    prod: 'CRD400',
    label: 'Platinum Card',
    cardDigits,
    closing: -612_44,
    limit: 4500_00,
    history: platinumCardHistory,
    held: platinumCardHeld,
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
      { until: monthOf(nowMs + 380 * dayMs), feeBp: '', capBp: 9000, least: 50_00, leastFee: '', annBp: 1290, by: '' },
    ],
    cycles: cardCycles(nowMs, 9, { owed: 541_20, least: 25_00 }),
    payees: [{ key: 'A100103-B1', sort: 'TP', payee: payees.friend }],
    forwards: [forward(nowMs, 3, { key: 'S4', ref: 'Card payment', amt: 25_00, payee: payees.friend })],
    terms: [{ code: 'CRD400', title: 'Platinum Card', family: 'OTH' }],
  };
}

const rewardsHistory: AccountSpec['history'] = [
  weekly(3, { name: 'lunch', time: '12:31', amount: -7_95, spread: 200, text: 'NOODLE BAR', madeMinutesBefore: 3 }),
  monthly(2, { name: 'topup', time: '08:00', amount: 40_00, text: 'TOP UP' }),
];

const rewardsPayees: AccountSpec['payees'] = [
  { key: 'A100104-B1', sort: 'TP', payee: payees.friend },
  { key: 'A100104-B2', sort: 'NOM', payee: payees.nominated },
  { key: 'A100104-B3', sort: 'OWN', payee: payees.internalSavings },
  { key: 'A100104-B4', sort: 'XB', payee: payees.german },
];

function rewards(nowMs: number): AccountSpec {
  return {
    key: 'A100104',
    prod: 'RWD500',
    label: 'Rewards Pay+',
    num: '20020034',
    cardDigits: '465858100234567',
    closing: 96_40,
    history: rewardsHistory,
    held: [{ name: 'bakery', hoursAgo: 1, amount: -3_20, text: 'CORNER BAKERY', dueInDays: 1 }],
    forwards: [
      forward(nowMs, 20, { key: 'S5', ref: 'Present', amt: 30_00, payee: payees.friend }),
      forward(nowMs, 21, { key: 'S6', ref: 'Miete', amt: 90_00, reach: 'INT', payee: payees.german }),
    ],
    payees: rewardsPayees,
  };
}

const roundUp: AccountSpec = {
  key: 'A100105',
  prod: 'RUP600',
  label: 'Round Up',
  num: '20020042',
  withIban: false,
  closing: 37_16,
  history: [weekly(7, { name: 'roundup', time: '23:05', amount: 1_12, spread: 90, text: 'ROUND UP' })],
  held: [{ name: 'pot', hoursAgo: 4, amount: 38, text: 'ROUND UP UNDER WAY', dueInDays: 1 }],
};
