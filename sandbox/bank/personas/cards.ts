import { dayMs, dayOf, monthOf } from '../stamps.js';
import { cardCycles } from './card-cycles.js';
import { monthly, weekly } from './history.js';
import type { AccountSpec, MakePersona } from './persona.js';

export const cards: MakePersona = (nowMs) => ({
  name: 'cards',
  person: { key: 'C1003', name: 'Chloë Dubois' },
  shows: 'Credit cards in credit, in debit with pending foreign transactions, and over the limit.',
  accounts: [cardInCredit(nowMs), cardInDebit(nowMs), cardOverLimit(nowMs)],
});

const cardInCreditHistory: AccountSpec['history'] = [
  monthly(10, { name: 'refund', time: '15:00', amount: 25_10, text: 'REFUND COAT' }),
  monthly(9, { name: 'paid', time: '09:00', amount: 60_00, text: 'PAYMENT RECEIVED' }),
  weekly(2, { name: 'food', time: '13:10', amount: -14_75, spread: 300, text: 'BISTRO', madeMinutesBefore: 20 }),
];

function cardInCredit(nowMs: number): AccountSpec {
  return {
    key: 'A100301',
    prod: 'CRD400',
    label: 'Classic Card (in credit)',
    cardDigits: '454313000000456',
    closing: 25_10,
    limit: 1200_00,
    history: cardInCreditHistory,
    promos: [
      {
        until: monthOf(nowMs + 120 * dayMs),
        feeBp: 150,
        capBp: 10000,
        least: 1_00,
        leastFee: 0,
        annBp: 590,
        by: dayOf(nowMs + 70 * dayMs),
      },
    ],
    cycles: cardCycles(nowMs, 4, { owed: -25_10, least: '' }),
  };
}

const cardInDebitHistory: AccountSpec['history'] = [
  weekly(4, {
    name: 'shop',
    time: '16:45',
    amount: -81_12,
    spread: 2000,
    text: 'DEPARTMENT STORE',
    madeMinutesBefore: 9,
  }),
  monthly(17, { name: 'paid', time: '09:00', amount: 300_00, text: 'PAYMENT RECEIVED' }),
  monthly(5, { name: 'tokyo', time: '04:30', amount: -33_18, text: 'RAMEN TOKYO', fx: { ccy: 'JPY', rate: '197.45' } }),
  monthly(6, {
    name: 'manama',
    time: '11:15',
    amount: -20_02,
    text: 'SOUQ MANAMA',
    fx: { ccy: 'BHD', rate: '0.4752' },
  }),
];

const cardInDebitHeld: AccountSpec['held'] = [
  {
    name: 'york',
    hoursAgo: 8,
    amount: -61_30,
    text: 'DINER NEW YORK',
    dueInDays: 2,
    fx: { ccy: 'USD', rate: '1.2611' },
  },
  {
    name: 'osaka',
    hoursAgo: 26,
    amount: -12_15,
    text: 'METRO OSAKA',
    dueInDays: 3,
    fx: { ccy: 'JPY', rate: '197.10' },
  },
  { name: 'deposit', hoursAgo: 50, amount: -200_00, text: 'CAR HIRE DEPOSIT', fx: { ccy: 'EUR', rate: '' } },
  { name: 'kiosk', hoursAgo: 2, amount: -5_00, text: 'KIOSK', dueInDays: 1 },
];

function cardInDebit(nowMs: number): AccountSpec {
  return {
    key: 'A100302',
    prod: 'CRD400',
    label: 'Voyager Card (in debit)',
    cardDigits: '542418123412341',
    closing: -1290_66,
    limit: 3000_00,
    history: cardInDebitHistory,
    held: cardInDebitHeld,
    promos: [],
    cycles: cardCycles(nowMs, 20, { owed: 1011_00, least: 50_55 }),
  };
}

function cardOverLimit(nowMs: number): AccountSpec {
  return {
    key: 'A100303',
    prod: 'CRD400',
    label: 'Student Card (over its limit)',
    cardDigits: '37449635398431',
    closing: -512_34,
    limit: 500_00,
    history: [weekly(6, { name: 'bar', time: '22:10', amount: -9_40, spread: 500, text: 'UNION BAR' })],
    cycles: cardCycles(nowMs, 1, { owed: 500_00, least: 100_00 }),
  };
}
