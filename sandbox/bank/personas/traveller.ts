import { monthly, weekly } from './history.js';
import { everydayTerms } from './counterparties.js';
import { cardNumber } from '../numbers.js';
import type { AccountSpec, MakePersona } from './persona.js';

const pan = cardNumber('542418123412341');
const dashed = cardNumber('37449635398431').replace(/^(\d{4})(\d{6})/, '$1-$2-');

export const traveller: MakePersona = () => ({
  name: 'traveller',
  person: { key: 'C1014', name: 'Maya Fernandes' },
  shows: 'Currencies with three and with no decimals, and texts that hold card numbers, blanks, or far too much.',
  accounts: [travelAccount, yenSavings, dinarSavings],
});

const travelAccountHistory: AccountSpec['history'] = [
  monthly(3, {
    name: 'card',
    time: '10:00',
    amount: -20_00,
    text: `PAYMENT TO CARD ${pan.replace(/(\d{4})(?=\d)/g, '$1 ')} `,
  }),
  monthly(4, { name: 'dash', time: '10:00', amount: -21_00, text: `REF ${dashed} AMEX` }),
  monthly(5, { name: 'order', time: '10:00', amount: -22_00, text: 'ORDER 1234567890123456 IS NO CARD' }),
  monthly(6, { name: 'long', time: '10:00', amount: -23_00, text: 'A VERY LONG STORY '.repeat(40) }),
  monthly(7, { name: 'blank', time: '10:00', amount: 24_00, text: '    ' }),
  weekly(1, { name: 'kyoto', time: '02:00', amount: -9_99, text: 'KYOTO', fx: { ccy: 'JPY', rate: '195.55' } }),
  weekly(2, { name: 'kuwait', time: '02:00', amount: -8_88, text: 'KUWAIT', fx: { ccy: 'KWD', rate: '0.3871' } }),
];

const travelAccountHeld: AccountSpec['held'] = [
  { name: 'muscat', hoursAgo: 7, amount: -3_33, text: 'MUSCAT', dueInDays: 2, fx: { ccy: 'OMR', rate: '0.4850' } },
];

const travelAccount: AccountSpec = {
  key: 'A101401',
  prod: 'CUR100',
  label: `Travel ${pan}`,
  num: '10010133',
  closing: 420_00,
  history: travelAccountHistory,
  held: travelAccountHeld,
  terms: [everydayTerms],
};

const yenSavings: AccountSpec = {
  key: 'A101402',
  prod: 'SAV300',
  label: 'Yen savings',
  ccy: 'JPY',
  num: '20030087',
  closing: 150_000,
  history: [monthly(10, { name: 'in', time: '01:00', amount: 10_000, text: 'FURIKOMI' })],
};

const dinarSavings: AccountSpec = {
  key: 'A101403',
  prod: 'SAV300',
  label: 'Dinar savings',
  ccy: 'KWD',
  num: '20030095',
  closing: 1_234_567,
  history: [monthly(10, { name: 'in', time: '09:00', amount: 50_125, text: 'DEPOSIT' })],
};
