import { describe, expect, it } from '@jest/globals';
import { notingUnread } from '../../../packages/core-adapter/core-rows.js';
import { partyFields, type PartyView } from './party.mapper.js';

const view = (displayName?: string): PartyView => ({
  customer: { ref: 'C1', ...(displayName !== undefined && { displayName }) },
  publicId: (ref) => `public-${ref}`,
});

describe('partyFields', () => {
  it('prefers the name that the bank sent with the consent to the core’s', () => {
    expect(partyFields({ ref: 'C1', name: 'Core' }, view('Told'))).toEqual({ partyId: 'public-C1', name: 'Told' });
    expect(partyFields({ ref: 'C1', name: 'Core' }, view())).toEqual({ partyId: 'public-C1', name: 'Core' });
  });

  it('returns a party without a name when neither the bank nor the core has one', () => {
    expect(partyFields({ ref: 'C1' }, view())).toEqual({ partyId: 'public-C1' });
    expect(partyFields({ ref: 'C1', name: ' ' }, view())).toEqual({ partyId: 'public-C1' });
    expect(partyFields({ ref: 'C1' }, view('Told'))).toEqual({ partyId: 'public-C1', name: 'Told' });
  });

  it('shows the customer’s LEI, and neither a wrong one nor that of another holder', () => {
    const lei = '2138SANDBOXTRADER116';
    const shown = (party: object) =>
      notingUnread(() => partyFields({ ref: 'C1', lei, ...party }, view('Told'))).item.lei;
    expect([shown({}), shown({ lei: '2138SANDBOXTRADER117' }), shown({ ref: 'C2' })]).toEqual([
      lei,
      undefined,
      undefined,
    ]);
  });

  it('shows the customer’s address, and neither one without a country nor that of another holder', () => {
    const address = { townName: 'Leeds', country: 'GB' };
    const shown = (party: object) =>
      notingUnread(() => partyFields({ ref: 'C1', address, ...party }, view())).item.address;
    expect(shown({})).toMatchObject(address);
    expect([shown({ address: { townName: 'Leeds', country: '' } }), shown({ ref: 'C2' })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('shows no card number and at most 350 characters', () => {
    const name = (displayName: string): string | undefined => partyFields({ ref: 'C1' }, view(displayName)).name;
    expect(name('Ann 4929421234567897')).toBe('Ann xxxxxxxxxxxx7897');
    expect(name('n'.repeat(400))).toHaveLength(350);
  });
});
