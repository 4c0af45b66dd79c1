import { describe, expect, it } from '@jest/globals';
import { leavesOutWhatItCannotRead, namesWhatItCannotRead, secret } from '../../../../test/cores/ledger/ledger.rows.js';
import { toDirectDebit } from './direct-debits.records.js';

const good = { key: 'M1', mandate: 'NLE 1', status: 'LIVE', taker: 'NLE' };

describe('the ledger’s mandate', () => {
  it('becomes a direct debit', () => {
    expect(toDirectDebit({ key: 'M1', mandate: 'NLE 1 ', status: 'LAPSED', taker: 'NLE ' })).toEqual({
      id: 'M1',
      mandate: 'NLE 1',
      status: 'expired',
      name: 'NLE',
    });
  });

  it('has the further facts that the ledger knows', () => {
    const known = { rule: 'M1/12', amount: 'VAR', cat: 'SUPP', first: '20240112', why: 'Energy ' };
    expect(toDirectDebit({ ...good, ...known })).toMatchObject({
      frequency: { every: 'month', interval: 1, day: 12 },
      classification: 'variable',
      categoryPurpose: 'SUPP',
      firstPaymentAt: { date: '2024-01-12' },
      reason: 'Energy',
    });
  });

  leavesOutWhatItCannotRead([
    ['frequency', toDirectDebit, good, { rule: secret }],
    ['classification', toDirectDebit, good, { amount: secret }],
    ['categoryPurpose', toDirectDebit, good, { cat: secret }],
  ]);

  namesWhatItCannotRead([
    ['mandate', toDirectDebit, { key: 'M1', mandate: ' ', status: 'LIVE', taker: 'X' }, {}],
    ['status', toDirectDebit, { key: 'M1', mandate: 'X', status: secret, taker: 'X' }, {}],
  ]);
});
