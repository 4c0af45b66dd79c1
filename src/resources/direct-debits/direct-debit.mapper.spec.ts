import { describe, expect, it } from '@jest/globals';
import { toDirectDebit } from './direct-debit.mapper.js';

const view = { accountId: 'id', publicId: (id: string) => `public-${id}` };

describe('toDirectDebit', () => {
  it('shows the mandate unchanged, and the collector’s name without a card number', () => {
    const mandate = '4929421234567897';
    expect(toDirectDebit({ id: 'M1', mandate, active: true, name: `ENERGY ${mandate}` }, view)).toEqual({
      AccountId: 'id',
      DirectDebitId: 'public-M1',
      MandateIdentification: mandate,
      DirectDebitStatusCode: 'Active',
      Name: 'ENERGY xxxxxxxxxxxx7897',
    });
  });

  it('refuses a mandate number of more than 35 characters instead of cutting it', () => {
    const mapped = (mandate: string) => toDirectDebit({ id: 'M1', mandate, active: true, name: 'N' }, view);
    expect(mapped('m'.repeat(35)).MandateIdentification).toHaveLength(35);
    expect(() => mapped('m'.repeat(36))).toThrow(RangeError);
  });

  it('shows an inactive mandate as Inactive, and cuts the name to 70 characters', () => {
    const inactive = toDirectDebit({ id: 'M1', mandate: 'X', active: false, name: 'n'.repeat(80) }, view);
    expect([inactive.DirectDebitStatusCode, inactive.Name]).toEqual(['Inactive', 'n'.repeat(70)]);
  });
});
