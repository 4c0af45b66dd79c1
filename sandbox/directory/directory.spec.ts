import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { JWK } from 'jose';
import { FakeClock } from '../../test/support/fake-clock.js';
import { makeIssuerKeys, makeSigningKey, publicPart } from '../bank/issuer.js';
import { type SandboxBank, startSandboxBank } from '../bank/sandbox-bank.js';
import { type Software, sandboxOrganisation } from './software.js';

const now = Date.parse('2026-11-20T14:30:00.000Z');

describe('the directory', () => {
  let bank: SandboxBank;
  let key: JWK;
  let software: Software;

  beforeAll(async () => {
    const [issuerKeys, directoryKey] = await Promise.all([makeIssuerKeys(), makeSigningKey('PS256')]);
    bank = await startSandboxBank({
      port: 0,
      credential: 'staff',
      issuerKeys,
      directoryKey,
      clock: new FakeClock(now),
      makePersonas: () => [],
    });
    key = publicPart(await makeSigningKey('ES256'));
    software = {
      softwareId: 'softwareOfSomebody0001',
      clientName: 'Somebody',
      description: 'Shows accounts.',
      clientUri: 'https://somebody.example',
      redirectUris: ['https://somebody.example/callback'],
      organisation: sandboxOrganisation,
      jwks: { keys: [key] },
    };
  });
  afterAll(() => bank.close());

  const register = (body: unknown, credential = 'staff') =>
    fetch(`${bank.directoryUrl}/software-statements`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
      body: JSON.stringify(body),
    });
  const get = async (url: string) => JSON.parse(await (await fetch(url)).text());

  it('issues the software statement of Dynamic Client Registration 3.3 as a PS256 JWT', async () => {
    const answer = await register(software);
    expect(answer.status).toBe(201);
    const { software_statement } = (await answer.json()) as { software_statement: string };
    const keys = createRemoteJWKSet(new URL(`${bank.directoryUrl}/jwks.json`));
    const { payload } = await jwtVerify(software_statement, keys, {
      algorithms: ['PS256'],
      currentDate: new Date(now),
    });
    expect(payload).toEqual({
      iss: 'Sandbox Directory',
      iat: now / 1000,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      software_environment: 'sandbox',
      software_mode: 'Test',
      software_id: 'softwareOfSomebody0001',
      software_client_id: 'softwareOfSomebody0001',
      software_client_name: 'Somebody',
      software_client_description: 'Shows accounts.',
      software_version: '1.0',
      software_client_uri: 'https://somebody.example',
      software_policy_uri: 'https://somebody.example',
      software_tos_uri: 'https://somebody.example',
      software_redirect_uris: ['https://somebody.example/callback'],
      software_roles: ['AISP', 'CBPII'],
      software_on_behalf_of_org: null,
      software_jwks_endpoint: `${bank.directoryUrl}/software/softwareOfSomebody0001/jwks.json`,
      software_jwks_revoked_endpoint: `${bank.directoryUrl}/software/softwareOfSomebody0001/revoked.json`,
      organisation_competent_authority_claims: {
        authority_id: 'FCAGBR',
        registration_id: '900001',
        status: 'Active',
        authorisations: [{ member_state: 'GB', roles: ['AISP', 'CBPII'] }],
      },
      org_status: 'Active',
      org_id: '0015800001SandboxA',
      org_name: 'Moneyview Sandbox Ltd',
      org_contacts: [],
      org_jwks_endpoint: `${bank.directoryUrl}/organisations/0015800001SandboxA/jwks.json`,
      org_jwks_revoked_endpoint: `${bank.directoryUrl}/organisations/0015800001SandboxA/revoked.json`,
    });
    expect(await get(payload.software_jwks_endpoint as string)).toEqual({ keys: [key] });
    expect(await get(payload.org_jwks_endpoint as string)).toEqual({ keys: [key] });
    expect(await get(payload.software_jwks_revoked_endpoint as string)).toEqual({ keys: [] });
    expect(await get(payload.org_jwks_revoked_endpoint as string)).toEqual({ keys: [] });
  });

  it('publishes no private part of its key', async () => {
    const { keys } = await get(`${bank.directoryUrl}/jwks.json`);
    expect(Object.keys(keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('states nothing to strangers', async () => {
    expect((await register(software, 'wrong')).status).toBe(401);
  });

  it.each<[string, (given: Software) => unknown]>([
    ['nothing', () => null],
    ['software without an id', (given) => ({ ...given, softwareId: '' })],
    ['software without a redirect URI', (given) => ({ ...given, redirectUris: [] })],
    ['a role that there is not', (given) => ({ ...given, organisation: { ...given.organisation, roles: ['PSP_XX'] } })],
    ['an agent without a name', (given) => ({ ...given, agentName: '' })],
    [
      'an organisation without a name',
      (given) => ({ ...given, organisation: { ...given.organisation, organisationName: 7 } }),
    ],
    ['a private key', (given) => ({ ...given, jwks: { keys: [{ ...key, d: 'secret' }] } })],
    ['no key', (given) => ({ ...given, jwks: { keys: [] } })],
  ])('refuses %s', async (_, spoilt) => {
    const answer = await register(spoilt(software));
    expect([answer.status, await answer.json()]).toEqual([400, { error: expect.stringContaining('softwareId') }]);
  });
});
