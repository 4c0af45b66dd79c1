import { businessTerms, energy } from './counterparties.js';
import { monthly, weekly } from './history.js';
import type { MakePersona } from './persona.js';

export const trader: MakePersona = () => ({
  name: 'trader',
  person: {
    key: 'C1015',
    name: 'Nadia Haddad',
    lei: '2138SANDBOXTRADER116',
    home: { town: 'Leeds', land: 'GB', street: 'Canal Street', no: '12', post: 'LS1 4AP' },
  },
  shows: 'A business current account.',
  accounts: [
    {
      key: 'A101501',
      prod: 'CUR200',
      label: 'Business Current Account',
      segment: 'B',
      lei: '2138SANDBOXTRADER116',
      num: '10010141',
      closing: 8_412_00,
      history: [
        weekly(5, {
          name: 'sales',
          time: '18:00',
          amount: 940_00,
          spread: 20000,
          text: 'CARD SALES',
          details: { iso: { family: 'MCRD', sub: 'POSC' }, cat: 'TRAD' },
        }),
        monthly(28, { name: 'wages', time: '06:00', amount: -1900_00, text: 'WAGES' }),
      ],
      mandates: [{ key: 'A101501-M1', mandate: 'NLE-B-9', status: 'LIVE', taker: 'NORTHERN LIGHT ENERGY' }],
      payees: [{ key: 'A101501-B1', sort: 'TP', payee: energy }],
      terms: [businessTerms],
    },
  ],
});
