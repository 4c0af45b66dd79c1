import { describe, expect, it } from '@jest/globals';
import { BootError } from '../config/boot-error.js';
import { loadProfile, profileNames } from './load-profile.js';
import { profileFaults } from './faults-of-profile.js';
import { profileOf, type Profile, type ProfileData } from './profile.js';
import { profile as profile1 } from './profile-1.js';
import { profile as profile2 } from './profile-2.js';
import { profile as profileFineract } from './profile-fineract.js';

/** Values that the types forbid, but a file can contain. */
type Untyped = Record<string, unknown>;

const dataOf = ({ endpoints: _, ...data }: Profile): ProfileData => data;
const faultsOf = (changes: Untyped): string[] => profileFaults({ ...dataOf(profile2), ...changes });
const products = (changes: Untyped): Untyped => ({ products: { ...profile2.products, ...changes } });
/** A mortgage with that change. */
const mortgage = (changes: Untyped): Untyped =>
  products({ Mortgage: { kind: 'mortgage', endpoints: ['accounts', 'balances'], ...changes } });
const without = (endpoint: string): Untyped => ({
  products: Object.fromEntries(
    Object.entries(profile2.products).map(([name, { endpoints, ...product }]) => [
      name,
      { ...product, endpoints: endpoints.filter((one) => one !== endpoint) },
    ]),
  ),
});

describe('a product profile', () => {
  it('has no fault in the shipped version', () => {
    expect([profile1, profile2, profileFineract].map((profile) => profileFaults(dataOf(profile)))).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('may have every member of a product, products with names of several words, and products without endpoints', () => {
    const credit = { kind: 'overdraft', limit: 'emergency' };
    const card = { holder: 'business', identifiedBy: 'card', bookedBalance: 'closing', postedOnly: false };
    expect(faultsOf(mortgage({ credit, ...card, beneficiaries: [] }))).toEqual([]);
    expect(faultsOf(products({ 'Cyfrif cynilo 2': { kind: 'e-money', endpoints: [] } }))).toEqual([]);
  });

  it.each<[string, Untyped]>([
    ['products must be an object', { products: undefined }],
    ['products.Mortgage must be an object', products({ Mortgage: [] })],
    [
      'products.__ must be named by 1 to 64 letters, digits, blanks, dashes and underscores, a letter or digit first',
      products({ __: profile2.products.Savings }),
    ],
    [
      'products.Mortgage.endpoints must not hold "parties", but only accounts, balances, transactions, party, offers, ' +
        'scheduled-payments, beneficiaries, statements, direct-debits, standing-orders, product',
      mortgage({ endpoints: ['accounts', 'parties'] }),
    ],
    ['products.Mortgage.endpoints must not hold a word twice', mortgage({ endpoints: ['accounts', 'accounts'] })],
    ['products.Mortgage.endpoints must be a list', mortgage({ endpoints: undefined })],
    [
      'products.Mortgage.kind must be one of the following values: charge-card, credit-card, current-account, ' +
        'e-money, loan, mortgage, prepaid-card, savings',
      mortgage({ kind: 'home-loan' }),
    ],
    ['products.Mortgage.holder must be one of the following values: personal, business', mortgage({ holder: null })],
    ['products.Mortgage.postedOnly must be a boolean value', mortgage({ postedOnly: 'yes' })],
    ['products.Mortgage.overdraft is not a setting', mortgage({ overdraft: true })],
    [
      'products.Mortgage.bookedBalance must be one of the following values: interim, closing',
      mortgage({ bookedBalance: 'available' }),
    ],
    [
      'products.Mortgage.identifiedBy must be one of the following values: account, card',
      mortgage({ identifiedBy: 'iban' }),
    ],
    ['products.Mortgage.credit must be an object', mortgage({ credit: 'overdraft' })],
    [
      'products.Mortgage.credit.kind must be one of the following values: overdraft, credit-line',
      mortgage({ credit: {} }),
    ],
    [
      'products.Mortgage.credit.limit must be one of the following values: pre-agreed, credit, emergency, temporary',
      mortgage({ credit: { kind: 'credit-line', limit: 'available' } }),
    ],
    [
      'products.Mortgage.beneficiaries must not hold "payees", but only third-party, nominated, international, internal',
      mortgage({ beneficiaries: ['payees'] }),
    ],
    ['products: none has the mandatory endpoint "accounts"', without('accounts')],
    ['products: none has the mandatory endpoint "balances"', without('balances')],
    ['products: none has the mandatory endpoint "transactions"', without('transactions')],
    ['amounts must be one of the following values: magnitude, signed', { amounts: 'absolute' }],
    ['pendingFields must be one of the following values: empty, expected', { pendingFields: undefined }],
  ])('is refused for its fault: %s', (fault, changes) => {
    expect(faultsOf(changes)).toEqual([fault]);
  });

  it('is refused for a permission that does not exist', () => {
    expect(faultsOf({ refusedPermissions: ['ReadPAN', 'ReadAll'] })).toEqual([
      expect.stringMatching(/^refusedPermissions must not hold "ReadAll", but only ReadAccountsBasic, /),
    ]);
  });

  it('lists for each endpoint the products that have it, and no endpoint without any', () => {
    const { endpoints } = profileOf(profile1);
    expect(endpoints.party).toEqual(['CurrentAccount', 'Savings', 'CreditCard', 'RewardsPayPlus', 'RoundUp']);
    expect(endpoints.statements).toEqual(['CreditCard']);
    expect(Object.keys(endpoints)).not.toContain('direct-debits');
  });

  it('is found by the name of its file', async () => {
    expect(profileNames()).toEqual(['profile-1', 'profile-2', 'profile-fineract']);
    expect(await loadProfile('profile-1')).toEqual(profile1);
    expect(await loadProfile('profile-2')).toEqual(profile2);
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
