import { monthly, weekly } from './history.js';
import { everydayTerms } from './counterparties.js';
import type { AccountSpec, MakePersona } from './persona.js';

const history = [
  monthly(25, { name: 'wage', time: '06:00', amount: 1620_00, text: 'FOUNDRY WAGES' }),
  monthly(26, { name: 'rent', time: '06:20', amount: -980_00, text: 'RENT' }),
  weekly(1, { name: 'shop', time: '17:25', amount: -118_40, spread: 2500, text: 'SUPERMARKET', madeMinutesBefore: 8 }),
];

export const overdrawn: MakePersona = () => ({
  name: 'overdrawn',
  person: { key: 'C1002', name: 'Bruno Keller' },
  shows:
    'Current accounts overdrawn: within the arranged overdraft, beyond it, with a payment that the bank rejected, and without an arranged overdraft.',
  accounts: [withinOverdraft, beyondOverdraft, withoutOverdraft],
});

const withinOverdraft: AccountSpec = {
  key: 'A100201',
  prod: 'CUR100',
  label: 'Everyday Current Account',
  num: '10010028',
  closing: -150_33,
  arranged: 500_00,
  history,
  held: [{ name: 'taxi', hoursAgo: 5, amount: -18_90, text: 'NIGHT TAXI', dueInDays: 1 }],
  terms: [everydayTerms],
};

const beyondOverdraft: AccountSpec = {
  key: 'A100202',
  prod: 'CUR100',
  label: 'Second Current Account',
  num: '10010036',
  closing: -512_00,
  arranged: 500_00,
  history: [monthly(3, { name: 'fee', time: '04:00', amount: -12_00, text: 'OVERDRAFT CHARGE' })],
  refused: [{ name: 'shoes', hoursAgo: 30, amount: -64_00, text: 'SHOE SHOP' }],
  terms: [everydayTerms],
};

const withoutOverdraft: AccountSpec = {
  key: 'A100203',
  prod: 'CUR100',
  label: 'Basic Account',
  num: '10010044',
  closing: -1_05,
  history: [monthly(3, { name: 'fee', time: '04:00', amount: -1_05, text: 'CARD REPLACEMENT' })],
  terms: [{ ...everydayTerms, code: '', title: 'Basic Account  ' }],
};
