import { describe, expect, it } from '@jest/globals';
import { isOfOrganisation, readStatement, type SoftwareStatement } from './software-statement.policy.js';
import { subjectAttributes } from './subject-dn.js';

const claims = {
  software_id: 'Software0001',
  org_id: '0015800001TestOrg',
  software_client_name: 'Moneyview',
  software_logo_uri: 'https://tpp.example/logo.svg',
  software_jwks_endpoint: 'https://directory.example/jwks',
  software_redirect_uris: ['https://tpp.example/callback'],
  software_roles: ['PISP', 'AISP'],
  org_status: 'Active',
  organisation_competent_authority_claims: {
    registration_id: '900002',
    status: 'Active',
    authorisations: [{ member_state: 'GB', roles: ['AISP'] }],
  },
  exp: 1_800_000_000,
};
const statement: SoftwareStatement = {
  softwareId: 'Software0001',
  organisationId: '0015800001TestOrg',
  registrationId: '900002',
  name: 'Moneyview',
  redirectUris: ['https://tpp.example/callback'],
  keysUrl: 'https://directory.example/jwks',
  expiresAt: new Date(1_800_000_000_000),
  scopes: ['accounts'],
};

describe('a software statement', () => {
  it('gives the registered data, and no logo', () => {
    expect(readStatement(claims)).toEqual(statement);
  });

  it('need not have an end, a state of the organisation or authorisations', () => {
    const { exp: _e, org_status: _s, organisation_competent_authority_claims: _c, ...rest } = claims;
    const { expiresAt: _x, registrationId: _r, ...least } = statement;
    expect(readStatement(rest)).toEqual(least);
  });

  it.each<[string, unknown]>([
    ['software_id', undefined],
    ['software_id', ''],
    ['software_id', '../admin'],
    ['software_id', 'x'.repeat(65)],
    ['org_id', 5],
    ['software_client_name', 'a\u0000b'],
    ['software_client_name', 'x'.repeat(101)],
    ['software_jwks_endpoint', null],
    ['software_redirect_uris', []],
    ['software_redirect_uris', 'https://tpp.example/callback'],
    ['software_redirect_uris', ['https://tpp.example/callback', 5]],
  ])('is useless with the %s %j', (claim, value) => {
    expect(readStatement({ ...claims, [claim]: value })).toEqual({
      error: 'invalid_software_statement',
      description: `the software statement has no usable ${claim}`,
    });
  });

  it.each<[object]>([
    [{ software_roles: ['PISP'] }],
    [{ software_roles: [] }],
    [{ software_roles: 'AISP' }],
    [{ software_roles: undefined }],
    [{ org_status: 'Revoked' }],
    [{ org_status: null }],
    [{ organisation_competent_authority_claims: { status: 'Revoked' } }],
    [{ organisation_competent_authority_claims: { authorisations: [] } }],
    [{ organisation_competent_authority_claims: { authorisations: [{ roles: ['PISP'] }] } }],
    [{ organisation_competent_authority_claims: { authorisations: 'AISP' } }],
  ])('with %j is refused: the TPP may not read account information', (changes) => {
    expect(readStatement({ ...claims, ...changes })).toMatchObject({ error: 'unapproved_software_statement' });
  });
});

describe('a certificate is the organisation’s', () => {
  it.each([
    ['with its id as the common name', 'C=GB\nCN=0015800001TestOrg', true],
    ['with the id of the software, and the organisation’s next to it', 'OU=0015800001TestOrg\nCN=Software0001', true],
    ['with the software’s alone', 'CN=Software0001', true],
    ['not with another organisation next to the software', 'OU=0015800001Other\nCN=Software0001', false],
    ['not with the id of another organisation', 'CN=0015800001Other', false],
    ['not with two names', 'CN=0015800001TestOrg\nCN=0015800001Other', false],
    ['not without a name', 'C=GB', false],
    ['not with its id as something else', 'O=0015800001TestOrg\nCN=tpp.example', false],
    ['with its authorisation next to its id', 'organizationIdentifier=PSDGB-FCA-900002\nCN=0015800001TestOrg', true],
    ['not with another authorisation', 'organizationIdentifier=PSDGB-FCA-900003\nCN=0015800001TestOrg', false],
    [
      'not by a number alone, which other authorities give too',
      'organizationIdentifier=PSDDE-BAFIN-900002\nCN=a',
      false,
    ],
  ])('%s', (_how, subject, expected) => {
    expect(isOfOrganisation(subjectAttributes(subject), statement)).toBe(expected);
  });

  it('by its identifier, where the directory knows it under that', () => {
    const eidas = { ...statement, organisationId: 'PSDGB-FCA-900002' };
    expect(isOfOrganisation(subjectAttributes('2.5.4.97=PSDGB-FCA-900002\nCN=tpp.example'), eidas)).toBe(true);
  });
});
