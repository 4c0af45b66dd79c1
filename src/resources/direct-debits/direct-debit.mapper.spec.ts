import { describe, expect, it } from '@jest/globals';
import { directDebitFields } from './direct-debit.mapper.js';

const view = { accountId: 'id', publicId: (id: string) => `public-${id}` };

describe('directDebitFields', () => {
  it('shows the mandate unchanged, and the collector’s name without a card number', () => {
    const mandate = '4929421234567897';
    expect(directDebitFields({ id: 'M1', mandate, status: 'active', name: `ENERGY ${mandate}` }, view)).toEqual({
      accountId: 'id',
      directDebitId: 'public-M1',
      mandate,
      status: 'active',
      name: 'ENERGY xxxxxxxxxxxx7897',
    });
  });

  it('refuses a mandate number of more than 35 characters instead of cutting it', () => {
    const mapped = (mandate: string) => directDebitFields({ id: 'M1', mandate, status: 'active', name: 'N' }, view);
    expect(mapped('m'.repeat(35)).mandate).toHaveLength(35);
    expect(() => mapped('m'.repeat(36))).toThrow(RangeError);
  });

  it('keeps the state of a mandate, and cuts the name to 70 characters', () => {
    const inactive = directDebitFields({ id: 'M1', mandate: 'X', status: 'suspended', name: 'n'.repeat(80) }, view);
    expect([inactive.status, inactive.name]).toEqual(['suspended', 'n'.repeat(70)]);
  });
});
