import { everydayTerms } from './counterparties.js';
import type { MakePersona } from './persona.js';

export const newcomer: MakePersona = () => ({
  name: 'newcomer',
  person: { key: 'C1010', name: 'Isla Moreau' },
  shows: 'An empty current account and an unused card: zero balances, and no records.',
  accounts: [
    {
      key: 'A101001',
      prod: 'CUR100',
      label: 'Everyday Current Account',
      num: '10010095',
      closing: 0,
      terms: [everydayTerms],
    },
    { key: 'A101002', prod: 'CRD400', label: '', cardDigits: '542418000000001', closing: 0, limit: 1000_00 },
  ],
});
