import { everydayTerms } from './counterparties.js';
import { daily } from './history.js';
import type { MakePersona } from './persona.js';

const perDay = 20;
const days = 600;

export const longHistory: MakePersona = () => ({
  name: 'history',
  person: { key: 'C1006', name: 'Frank Osei' },
  shows: `A current account with ${(perDay * days).toLocaleString('en-GB')} transactions, many at the same instant.`,
  accounts: [
    {
      key: 'A100601',
      prod: 'CUR100',
      label: 'Market Stall Account',
      num: '10010060',
      closing: 2_750_18,
      days,
      history: [daily(perDay, ['STALL TAKINGS', 'WHOLESALE FRUIT', 'PITCH FEE', 'CARD READER FEE', 'VAN FUEL'])],
      terms: [everydayTerms],
    },
  ],
});
