import { describe, expect, it } from '@jest/globals';
import { namesWhatItCannotRead } from '../../../../test/cores/ledger/ledger.rows.js';
import { toParty } from './party.records.js';

describe('the ledger’s person', () => {
  it('becomes a party, with a name where there is one', () => {
    expect(toParty({ key: 'C1', name: ' Amelia  ' })).toEqual({ ref: 'C1', name: 'Amelia' });
    expect(toParty({ key: 'C1', name: '  ' })).toEqual({ ref: 'C1' });
  });

  it('has the address and the identifier that the ledger knows', () => {
    const known = { lei: '2138SANDBOXTRADER116', home: { town: 'Leeds', land: 'GB', street: 'Canal Street' } };
    expect(toParty({ key: 'C1', name: '', ...known })).toEqual({
      ref: 'C1',
      lei: known.lei,
      address: { townName: 'Leeds', country: 'GB', streetName: 'Canal Street' },
    });
  });

  namesWhatItCannotRead([['key', toParty, { key: '', name: '' }, {}]]);
});
