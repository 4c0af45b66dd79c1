import { describe, expect, it } from '@jest/globals';
import { BootError } from '../config/boot-error.js';
import { loadProfile, profileNames } from './load-profile.js';
import { profile as profile1 } from './profile-1.js';
import { profile as profile2 } from './profile-2.js';
import { profile as profileFineract } from './profile-fineract.js';
import { profileFaults } from './profile.js';

/** Values that the types forbid, but a file can contain. */
type Untyped = Record<string, unknown>;
const faultsOf = (changes: Untyped): string[] => profileFaults({ ...profile2, ...changes });
const endpoints = (changes: Untyped): Untyped => ({ endpoints: { ...profile2.endpoints, ...changes } });
const without = (endpoint: string): Untyped => ({
  endpoints: Object.fromEntries(Object.entries(profile2.endpoints).filter(([name]) => name !== endpoint)),
});

describe('a product profile', () => {
  it('has no fault in the shipped version', () => {
    expect([profile1, profile2, profileFineract].map(profileFaults)).toEqual([[], [], []]);
  });

  it.each<[string, Untyped]>([
    ['unknown endpoint "parties"', endpoints({ parties: ['Savings'] })],
    ['offers: unknown product "Mortgage"', endpoints({ offers: ['CreditCard', 'Mortgage'] })],
    ['offers: a product is listed twice', endpoints({ offers: ['CreditCard', 'CreditCard'] })],
    ['offers: lists no product; leave an absent endpoint out', endpoints({ offers: [] })],
    ['statements: lists no product; leave an absent endpoint out', endpoints({ statements: undefined })],
    ['the mandatory endpoint "accounts" is missing', without('accounts')],
    ['the mandatory endpoint "balances" is missing', without('balances')],
    ['the mandatory endpoint "transactions" is missing', without('transactions')],
    ['refusedPermissions: unknown code "ReadAll"', { refusedPermissions: ['ReadPAN', 'ReadAll'] }],
    ['accountSubTypes: RoundUp is missing', { accountSubTypes: { ...profile2.accountSubTypes, RoundUp: undefined } }],
    [
      'accountSubTypes: unknown product "Mortgage"',
      { accountSubTypes: { ...profile2.accountSubTypes, Mortgage: 'Loan' } },
    ],
    [
      'accountSubTypes: unknown sub-type of RoundUp',
      { accountSubTypes: { ...profile2.accountSubTypes, RoundUp: 'Pot' } },
    ],
    ['amounts: must be magnitude or signed', { amounts: 'absolute' }],
    ['pendingFields: must be empty or expected', { pendingFields: undefined }],
  ])('is refused for its fault: %s', (fault, changes) => {
    expect(faultsOf(changes)).toEqual([fault]);
  });

  it('is found by the name of its file', async () => {
    expect(profileNames()).toEqual(['profile-1', 'profile-2', 'profile-fineract']);
    expect(await loadProfile('profile-1')).toBe(profile1);
    expect(await loadProfile('profile-2')).toBe(profile2);
  });

  it.each(['profile-3', 'profile', '../profiles/profile-1', 'load-profile', ''])(
    'is refused under the unknown name "%s", with a list of the known names',
    async (name) => {
      const error: unknown = await loadProfile(name).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(BootError);
      expect((error as BootError).message).toBe(
        `PROFILE "${name}" is not known: set it to one of profile-1, profile-2, profile-fineract, ` +
          'or to the absolute path of a profile’s JSON file',
      );
    },
  );
});
