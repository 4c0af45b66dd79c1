import { describe, expect, it } from '@jest/globals';
import { missingPermissions, permissionCodes, type Permission } from '../open-banking/permissions.js';
import { accountIdKind } from '../open-banking/public-ids.js';
import { endpointNames, endpoints, openedBy } from './endpoints.js';
import { transactions } from './transactions/transactions.endpoint.js';

const served = (...held: Permission[]): string[] => openedBy(new Set(held));

describe('the permissions of the endpoints', () => {
  it.each([
    ['ReadAccountsBasic', ['accounts']],
    ['ReadAccountsDetail', ['accounts']],
    ['ReadBalances', ['balances']],
    ['ReadBeneficiariesBasic', ['beneficiaries']],
    ['ReadBeneficiariesDetail', ['beneficiaries']],
    ['ReadDirectDebits', ['direct-debits']],
    ['ReadOffers', ['offers']],
    ['ReadPAN', []],
    ['ReadParty', ['party']],
    ['ReadPartyPSU', []],
    ['ReadProducts', ['product']],
    ['ReadScheduledPaymentsBasic', ['scheduled-payments']],
    ['ReadScheduledPaymentsDetail', ['scheduled-payments']],
    ['ReadStandingOrdersBasic', ['standing-orders']],
    ['ReadStandingOrdersDetail', ['standing-orders']],
    ['ReadStatementsBasic', ['statements']],
    ['ReadStatementsDetail', ['statements']],
    ['ReadTransactionsBasic', []],
    ['ReadTransactionsCredits', []],
    ['ReadTransactionsDebits', []],
    ['ReadTransactionsDetail', []],
  ] as [Permission, string[]][])('%s alone opens %j', (code, opened) => {
    expect(served(code)).toEqual(opened);
  });

  it('open transactions by one of Basic and Detail together with one of Credits and Debits', () => {
    for (const fields of ['ReadTransactionsBasic', 'ReadTransactionsDetail'] as const)
      for (const side of ['ReadTransactionsCredits', 'ReadTransactionsDebits'] as const)
        expect(served(fields, side)).toEqual(['transactions']);
  });

  it('open all eleven endpoints when the consent holds all codes, and no endpoint without codes', () => {
    expect([served(...permissionCodes), served()]).toEqual([endpointNames, []]);
    expect(endpoints).toHaveLength(11);
  });

  it('are reported missing as the groups of which the consent holds no code', () => {
    const groups = transactions.permissions;
    expect(missingPermissions(groups, new Set(['ReadTransactionsCredits']))).toEqual([groups[0]]);
    expect(missingPermissions(groups, new Set())).toEqual(groups);
  });
});

describe('the declarations of the endpoints', () => {
  it('name each endpoint, each read of the core and each kind of id once', () => {
    const kinds = endpoints.flatMap(({ ids }) => ids?.kind ?? []);
    for (const names of [endpointNames, endpoints.map(({ read }) => read), [...kinds, accountIdKind]])
      expect(new Set(names).size).toBe(names.length);
  });

  it('give the records of an account different ids where they have one', () => {
    const identified = endpoints.filter(({ ids }) => ids?.uniqueWithin === 'account').map(({ name }) => name);
    expect(identified.sort()).toEqual([
      'beneficiaries',
      'direct-debits',
      'scheduled-payments',
      'standing-orders',
      'transactions',
    ]);
  });

  it('release the fields of Detail by the Detail code', () => {
    const details = endpoints.flatMap(({ detail }) => detail ?? []);
    expect(details.sort()).toEqual(permissionCodes.filter((code) => code.endsWith('Detail')));
  });
});
