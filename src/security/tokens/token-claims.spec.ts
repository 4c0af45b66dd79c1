import { describe, expect, it } from '@jest/globals';
import { defaultClaims, type TokenBinding } from '../../config/config.js';
import { claimAt, InvalidToken, readClaims } from './token-claims.js';
import { tppId } from '../../open-banking/tpp-id.js';

const rules = {
  issuer: 'https://as.example',
  claims: defaultClaims,
  binding: 'none' as TokenBinding,
  subjectIsCustomer: false,
};
const exp = 1_800_000_000;

describe('the claims of a token', () => {
  it('are read by the names of RFC 9068 where the settings name no others', () => {
    expect(
      readClaims(
        {
          client_id: 'tpp',
          scope: 'openid accounts',
          openbanking_intent_id: 'aac-1',
          auth_time: 1_700_000_000,
          acr: 'loa-3',
          sub: 'someone',
          cnf: { 'x5t#S256': 'thumb' },
          exp,
        },
        rules,
      ),
    ).toEqual({
      tpp: tppId('https://as.example', 'tpp'),
      scopes: new Set(['openid', 'accounts']),
      consentId: 'aac-1',
      authenticatedAtMs: 1_700_000_000_000,
      acr: 'loa-3',
      certificateThumbprint: 'thumb',
      expiresAtMs: exp * 1_000,
    });
  });

  it('are read by the issuer’s names, which may be nested or contain dots', () => {
    const claims = {
      consentId: 'bank.consent',
      authenticationTime: 'https://as.example/at',
      acr: 'sca.level',
      clientId: 'azp',
      subject: 'sub.id',
    };
    expect(
      readClaims(
        {
          azp: 'tpp',
          client_id: 'other',
          bank: { consent: 'aac-1' },
          'https://as.example/at': 5,
          sca: { level: 'high' },
          sub: { id: 'customer' },
          scope: ['accounts'],
        },
        { ...rules, claims, subjectIsCustomer: true },
      ),
    ).toEqual({
      tpp: tppId('https://as.example', 'tpp'),
      scopes: new Set(['accounts']),
      consentId: 'aac-1',
      authenticatedAtMs: 5_000,
      acr: 'high',
      customerRef: 'customer',
      expiresAtMs: Number.POSITIVE_INFINITY,
    });
  });

  it('are only own properties of the token, not inherited ones', () => {
    expect(claimAt({}, 'constructor')).toBeUndefined();
    expect(claimAt({ a: 'text' }, 'a.length')).toBeUndefined();
    expect(claimAt({ a: null }, 'a.b')).toBeUndefined();
    expect(claimAt({ 'a.b': 1, a: { b: 2 } }, 'a.b')).toBe(1);
  });

  it.each<[string, object, object]>([
    ['the token names no client', { client_id: undefined }, {}],
    ['the client id in the token is not text', { client_id: 7 }, {}],
    ['the consent id in the token is not text', { openbanking_intent_id: '' }, {}],
    ['the authentication time in the token is not a number of seconds', { auth_time: '5' }, {}],
    ['the token is bound to something other than a certificate or a key', { cnf: {} }, {}],
    ['the token is bound to something other than a certificate or a key', { cnf: null }, {}],
    ['the token is bound to something other than a certificate or a key', { cnf: { jwk: {} } }, {}],
    ['the token is not bound to a certificate', {}, { binding: 'mtls' }],
    ['the token is not bound to a certificate', { cnf: { jkt: 'key' } }, { binding: 'mtls' }],
    ['the token is not bound to a key', { cnf: { 'x5t#S256': 'thumb' } }, { binding: 'dpop' }],
    ['the customer was not authenticated strongly enough', {}, { acrValues: ['loa-3'] }],
    ['the customer was not authenticated strongly enough', { acr: 'loa-1' }, { acrValues: ['loa-3', 'loa-2'] }],
    ['the token names no customer', {}, { subjectIsCustomer: true }],
  ])('are refused: %s', (reason, claims, change) => {
    const token = { client_id: 'tpp', openbanking_intent_id: 'aac-1', exp, ...claims };
    expect(() => readClaims(token, { ...rules, ...change })).toThrow(new InvalidToken(reason));
  });

  it('of a token without a consent need no acr and no customer', () => {
    const change = { acrValues: ['loa-3'], subjectIsCustomer: true };
    expect(readClaims({ client_id: 'tpp', sub: 'tpp', exp }, { ...rules, ...change })).toEqual({
      tpp: tppId('https://as.example', 'tpp'),
      scopes: new Set(),
      expiresAtMs: exp * 1_000,
    });
  });

  it('bind the token to both the certificate and the key that they name', () => {
    const cnf = { 'x5t#S256': 'thumb', jkt: 'key' };
    expect(readClaims({ client_id: 'tpp', exp, cnf }, { ...rules, binding: 'dpop' })).toMatchObject({
      certificateThumbprint: 'thumb',
      keyThumbprint: 'key',
    });
  });
});
