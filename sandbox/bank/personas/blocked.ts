import { everydayTerms } from './counterparties.js';
import { monthly } from './history.js';
import type { MakePersona } from './persona.js';

export const blocked: MakePersona = () => ({
  name: 'blocked',
  person: { key: 'C1005', name: 'Erin Walsh' },
  shows: 'A current account to which online access is not permitted, and a savings account that is open.',
  accounts: [
    {
      key: 'A100501',
      prod: 'CUR100',
      label: 'Everyday Current Account',
      num: '10010052',
      status: 'BARRED',
      closing: 320_00,
      history: [monthly(7, { name: 'in', time: '09:00', amount: 50_00, text: 'TRANSFER' })],
      terms: [everydayTerms],
    },
    {
      key: 'A100502',
      prod: 'SAV300',
      label: 'Saver',
      num: '20030036',
      status: 'DORM',
      closing: 1000_00,
      history: [monthly(1, { name: 'interest', time: '05:00', amount: 2_08, text: 'GROSS INTEREST' })],
    },
  ],
});
