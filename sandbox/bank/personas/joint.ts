import { energy, everydayTerms } from './counterparties.js';
import { monthly, weekly } from './history.js';
import type { AccountSpec, MakePersona } from './persona.js';

/** The account that both list: the holder that a party answer names is the one who gave the consent. */
const household: AccountSpec = {
  key: 'A100701',
  prod: 'CUR100',
  label: 'Household (joint)',
  num: '10010079',
  closing: 2204_90,
  arranged: 250_00,
  history: [
    monthly(27, { name: 'grace', time: '07:00', amount: 900_00, text: 'G LINDQVIST SHARE' }),
    monthly(27, { name: 'henrik', time: '07:00', amount: 900_00, text: 'H LINDQVIST SHARE' }),
    weekly(6, {
      name: 'shop',
      time: '10:30',
      amount: -132_00,
      spread: 3000,
      text: 'SUPERMARKET',
      madeMinutesBefore: 6,
    }),
  ],
  payees: [{ key: 'A100701-B1', sort: 'TP', payee: energy }],
  terms: [everydayTerms],
};

export const joint: MakePersona = () => ({
  name: 'joint',
  person: { key: 'C1007', name: 'Grace Lindqvist' },
  shows: 'A joint account, which `partner` lists as well, and her own account.',
  accounts: [
    household,
    {
      key: 'A100702',
      prod: 'SAV300',
      label: 'Grace only',
      num: '20030044',
      closing: 510_00,
      history: [monthly(4, { name: 'save', time: '08:00', amount: 30_00, text: 'SAVING' })],
    },
  ],
});

export const partner: MakePersona = () => ({
  name: 'partner',
  person: { key: 'C1008', name: 'Henrik Lindqvist' },
  shows: 'The other holder of the joint account of `joint`, with his own card.',
  accounts: [
    household,
    {
      key: 'A100801',
      prod: 'CRD400',
      label: 'Henrik only',
      cardDigits: '492942999988887',
      closing: -30_00,
      limit: 800_00,
      history: [monthly(21, { name: 'tools', time: '14:00', amount: -30_00, text: 'TOOL HIRE' })],
    },
  ],
});
