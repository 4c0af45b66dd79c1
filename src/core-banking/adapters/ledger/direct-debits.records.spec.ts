import { describe, expect, it } from '@jest/globals';
import { namesWhatItCannotRead, secret } from '../../../../test/cores/ledger/ledger.rows.js';
import { toDirectDebit } from './direct-debits.records.js';

describe('the ledger’s mandate', () => {
  it('becomes a direct debit', () => {
    expect(toDirectDebit({ key: 'M1', mandate: 'NLE 1 ', status: 'LAPSED', taker: 'NLE ' })).toEqual({
      id: 'M1',
      mandate: 'NLE 1',
      status: 'expired',
      name: 'NLE',
    });
  });

  namesWhatItCannotRead([
    ['mandate', toDirectDebit, { key: 'M1', mandate: ' ', status: 'LIVE', taker: 'X' }, {}],
    ['status', toDirectDebit, { key: 'M1', mandate: 'X', status: secret, taker: 'X' }, {}],
  ]);
});
