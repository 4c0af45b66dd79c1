import { describe, expect, it } from '@jest/globals';
import { toParty, type PartyView } from './party.mapper.js';

const view = (displayName?: string): PartyView => ({
  customer: { ref: 'C1', ...(displayName !== undefined && { displayName }) },
  publicId: (ref) => `public-${ref}`,
});

describe('toParty', () => {
  it('prefers the name that the bank sent with the consent to the core’s', () => {
    expect(toParty({ ref: 'C1', name: 'Core' }, view('Told'))).toEqual({ PartyId: 'public-C1', Name: 'Told' });
    expect(toParty({ ref: 'C1', name: 'Core' }, view())).toEqual({ PartyId: 'public-C1', Name: 'Core' });
  });

  it('returns a party without a name when neither the bank nor the core has one', () => {
    expect(toParty({ ref: 'C1' }, view())).toEqual({ PartyId: 'public-C1' });
    expect(toParty({ ref: 'C1', name: ' ' }, view())).toEqual({ PartyId: 'public-C1' });
    expect(toParty({ ref: 'C1' }, view('Told'))).toEqual({ PartyId: 'public-C1', Name: 'Told' });
  });

  it('shows no card number and at most 350 characters', () => {
    const name = (displayName: string): string | undefined => toParty({ ref: 'C1' }, view(displayName)).Name;
    expect(name('Ann 4929421234567897')).toBe('Ann xxxxxxxxxxxx7897');
    expect(name('n'.repeat(400))).toHaveLength(350);
  });
});
