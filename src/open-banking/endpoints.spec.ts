import { describe, expect, it } from '@jest/globals';
import { endpointPermissions, endpoints, missingPermissions } from './endpoints.js';
import { permissionCodes, type Permission } from './permissions.js';

const served = (...held: Permission[]): string[] =>
  endpoints.filter((endpoint) => missingPermissions(endpointPermissions[endpoint], new Set(held)).length === 0);

describe('the permissions of the endpoints (standard-facts 3.1)', () => {
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

  it('open all eleven when all are held, and none when none is', () => {
    expect([served(...permissionCodes), served()]).toEqual([[...endpoints], []]);
    expect(endpoints).toHaveLength(11);
  });

  it('are told as the groups of which none is held', () => {
    const groups = endpointPermissions.transactions;
    expect(missingPermissions(groups, new Set(['ReadTransactionsCredits']))).toEqual([groups[0]]);
    expect(missingPermissions(groups, new Set())).toEqual(groups);
  });
});
