import { monthly } from './history.js';
import { internalSavings, nominated } from './counterparties.js';
import type { AccountSpec, MakePersona } from './persona.js';

export const saver: MakePersona = () => ({
  name: 'saver',
  person: { key: 'C1004', name: 'Dilip Rao' },
  shows: 'A savings-only customer: interest booked by day without a time, and an account without an IBAN.',
  accounts: [fixedSaver, instantSaver],
});

const fixedSaverHistory: AccountSpec['history'] = [
  monthly(31, { name: 'interest', time: '05:00', amount: 88_01, spread: 60, text: 'GROSS INTEREST', dayOnly: true }),
];

const fixedSaver: AccountSpec = {
  key: 'A100401',
  prod: 'SAV300',
  label: 'Fixed Saver',
  num: '20030010',
  closing: 40_210_77,
  history: fixedSaverHistory,
  payees: [{ key: 'A100401-B1', sort: 'NOM', payee: nominated }],
};

const instantSaver: AccountSpec = {
  key: 'A100402',
  prod: 'SAV300',
  label: 'Instant Saver',
  num: '20030028',
  withIban: false,
  closing: 15_00,
  history: [monthly(14, { name: 'in', time: '12:00', amount: 15_00, text: 'BIRTHDAY' })],
  payees: [{ key: 'A100402-B1', sort: 'OWN', payee: internalSavings }],
};
