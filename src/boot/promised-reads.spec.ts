import { describe, expect, it } from '@jest/globals';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { profile as profile1 } from '../profiles/profile-1.js';
import { fundsReasons, refuseEmptyPromises, refuseUnknownProducts } from './promised-reads.js';

const read = (): Promise<never> => Promise.reject(new CoreError('unavailable', 'a test'));
const core = (over: Partial<CoreAdapter>): CoreAdapter => ({
  name: 'some-core',
  pending: 'none',
  missing: {},
  accounts: read,
  account: read,
  health: read,
  close: read,
  balances: read,
  transactions: read,
  party: read,
  offers: read,
  beneficiaries: read,
  ...over,
});

const funds = { findPaymentAccount: read, fundsAvailable: read };

describe('a profile', () => {
  it('may promise the reads that the core can serve, and fewer', () => {
    const able = core({ ...funds, scheduledPayments: read, statements: read, directDebits: read });
    expect(() => refuseEmptyPromises(profile1, able, {})).not.toThrow();
  });

  it('that promises more is refused, naming each endpoint with the adapter’s reason', () => {
    const lacking = core({ ...funds, missing: { statements: 'it prints statements on paper only' } });
    expect(() => refuseEmptyPromises(profile1, lacking, {})).toThrow(
      'PROFILE profile-1 promises scheduled-payments (no reason given), statements (it prints statements on paper only), ' +
        'which the core "some-core" cannot serve: choose another profile or write one (docs/bank/product-profile.md), or give the adapter those reads',
    );
  });

  it('that lacks a product of the core’s settings is refused with a list of its own products', () => {
    expect(() => refuseUnknownProducts(profile1, core({}))).not.toThrow();
    expect(() => refuseUnknownProducts(profile1, core({ products: ['Savings', 'RoundUp'] }))).not.toThrow();
    expect(() => refuseUnknownProducts(profile1, core({ products: ['Savings', 'Mortgage', 'toString'] }))).toThrow(
      'PROFILE profile-1 lacks 2 of the products that the settings of the core "some-core" name: ' +
        'it has CurrentAccount, Savings, CreditCard, RewardsPayPlus, RoundUp',
    );
  });

  it('is checked for each of several cores by the products that the core holds', () => {
    const cards = { name: 'cards', holds: ['CreditCard'] };
    const able = core({ ...funds, statements: read });
    const promised = {
      ...profile1,
      endpoints: { ...profile1.endpoints, 'direct-debits': ['CurrentAccount'] as const },
    };
    delete (promised.endpoints as Record<string, unknown>)['scheduled-payments'];
    expect(() => refuseEmptyPromises(promised, able, cards)).not.toThrow();
    expect(() => refuseEmptyPromises(promised, able, { name: 'cards' })).toThrow(
      /^PROFILE profile-1 promises direct-debits \(no reason given\), which the core "cards" cannot serve: .+, or name the products that the core holds in CORE_CARDS_HOLDS$/,
    );
    expect(() => refuseEmptyPromises(promised, able, { name: 'cards', holds: ['CreditCrad'] })).toThrow(
      /^CORE_CARDS_HOLDS names a product that PROFILE profile-1 does not serve: it serves (?!.*Crad)/,
    );
  });
});

describe('confirmation of funds', () => {
  it('is promised by a profile only where the core can serve it', () => {
    const able = core({ scheduledPayments: read, statements: read, directDebits: read });
    expect(() => refuseEmptyPromises(profile1, able, {})).toThrow(/promises confirmation of funds \(no reason given\)/);
    const { fundsConfirmation: _none, ...rules } = profile1.rules;
    expect(() => refuseEmptyPromises({ ...profile1, rules }, able, {})).not.toThrow();
  });

  const finds = { findPaymentAccount: read };
  const { balances: _, ...noBalances } = core(finds);

  it.each<[string, CoreAdapter, string[]]>([
    ['can be served by a core that finds accounts and has their balances', core(finds), []],
    ['can be served without balances', { ...noBalances, fundsAvailable: read }, []],
    ['needs a core that finds accounts', core({ fundsAvailable: read }), ['no reason given']],
    [
      'needs the funds or the balances',
      { ...noBalances, missing: { balances: 'they are secret' } },
      ['they are secret'],
    ],
    [
      'is not served by balances that the adapter declares unfit',
      core({ missing: { findPaymentAccount: 'no index', fundsAvailable: 'the balances are of last night' } }),
      ['no index', 'the balances are of last night'],
    ],
  ])('%s', (_, adapter, reasons) => expect(fundsReasons(adapter)).toEqual(reasons));
});
