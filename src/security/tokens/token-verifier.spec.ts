import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { defaultClaims, type IntrospectingIssuerConfig } from '../../config/config.js';
import { createHttpService } from '../../outgoing/http-service.js';
import { IntrospectingIssuer } from './introspecting-issuer.js';
import { TokenVerifier } from './token-verifier.js';
import { IssuerUnreachable } from './token-issuer.js';

const now = Date.parse('2026-06-15T12:00:00Z');
const nowSeconds = now / 1_000;
const config: IntrospectingIssuerConfig = {
  issuer: 'https://as.example',
  audience: 'api',
  claims: defaultClaims,
  binding: 'mtls',
  subjectIsCustomer: false,
  introspection: {
    url: 'https://as.example/introspect',
    clientId: 'gateway',
    certificateFile: '',
    keyFile: '',
    caFile: '',
    cacheMs: 10_000,
  },
};
const good = { active: true, client_id: 'tpp', aud: 'api', exp: nowSeconds + 300, cnf: { 'x5t#S256': 'thumb' } };

describe('a token that its issuer introspects (RFC 7662)', () => {
  let clock: FakeClock;
  let answer: unknown;
  let asked: [string, object][];
  let verifier: TokenVerifier;

  beforeEach(() => {
    clock = new FakeClock(now);
    answer = good;
    asked = [];
    const client = {
      renew: () => () => undefined,
      post: async (url: string, form: object): Promise<unknown> => {
        asked.push([url, form]);
        if (answer === undefined) throw new IssuerUnreachable('unreachable');
        return answer;
      },
    };
    verifier = new TokenVerifier(createHttpService(), [], clock);
    verifier.accept(config.issuer, new IntrospectingIssuer(config, client, clock));
  });

  const verify = async (token = 'opaque'): Promise<string> => {
    try {
      return (await verifier.verify(token)).tpp.clientId;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const jwt = (claims: object): string =>
    ['{"alg":"PS256"}', JSON.stringify(claims), 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.');

  it('is introspected again after some time, and remembered until then', async () => {
    expect(await verify()).toBe('tpp');
    clock.advance(9_999);
    answer = { active: false };
    expect(await verify()).toBe('tpp');
    expect(asked).toEqual([
      ['https://as.example/introspect', { token: 'opaque', token_type_hint: 'access_token', client_id: 'gateway' }],
    ]);
    clock.advance(1);
    expect(await verify()).toBe('the token is not active');
    expect(await verify()).toBe('the token is not active');
    expect(asked).toHaveLength(3);
  });

  it('is introspected once for all simultaneous requests that carry it, and again for a later request', async () => {
    answer = { active: false };
    const outcomes = await Promise.all(Array.from({ length: 1_000 }, () => verify()));
    expect([new Set(outcomes), asked.length]).toEqual([new Set(['the token is not active']), 1]);
    answer = good;
    expect(await Promise.all([verify(), verify(), verify('another')])).toEqual(['tpp', 'tpp', 'tpp']);
    expect(asked).toHaveLength(3);
  });

  it('is never remembered after its expiry', async () => {
    answer = { ...good, exp: nowSeconds + 5 };
    expect(await verify()).toBe('tpp');
    clock.advance(5_000);
    expect(await verify()).toBe('the token has expired');
  });

  it('whose issuer is unreachable is answered 503, and is introspected again', async () => {
    answer = undefined;
    expect(await verify()).toBe('unavailable');
    answer = good;
    expect(await verify()).toBe('tpp');
  });

  it.each<[string, unknown]>([
    ['tpp', { ...good, aud: ['other', 'api'] }],
    ['tpp', { ...good, iss: 'https://as.example', nbf: nowSeconds }],
    ['tpp', { ...good, exp: undefined }],
    ['the token is for another audience', { ...good, aud: 'other' }],
    ['the token is for another audience', { ...good, aud: undefined }],
    ['the token is of another issuer', { ...good, iss: 'https://other.example' }],
    ['the token has expired', { ...good, exp: nowSeconds }],
    ['the token has expired', { ...good, exp: 'never' }],
    ['the token is not valid yet', { ...good, nbf: nowSeconds + 1 }],
    ['the token is not bound to a certificate', { ...good, cnf: undefined }],
    ['the token names no client', { ...good, client_id: undefined }],
    ['unavailable', { client_id: 'tpp' }],
    ['unavailable', { ...good, active: 'true' }],
    ['unavailable', null],
  ])('is "%s" when the answer is %j', async (outcome, given) => {
    answer = given;
    expect(await verify()).toBe(outcome);
  });

  it('may be a JWT of that issuer; a JWT of another issuer is not sent to it', async () => {
    expect(await verify(jwt({ iss: 'https://as.example' }))).toBe('tpp');
    expect(asked).toHaveLength(1);
    expect(await verify(jwt({ iss: 'https://other.example' }))).toBe('the token is of an issuer that is not accepted');
    expect(asked).toHaveLength(1);
    expect(await verify(jwt({}))).toBe('tpp');
  });

  it('is refused where no issuer introspects', async () => {
    verifier = new TokenVerifier(createHttpService(), [], clock);
    expect(await verify()).toBe('the token is not a JWT that names its issuer');
    expect(await verify(jwt({}))).toBe('the token is not a JWT that names its issuer');
    expect(await verify(jwt({ iss: 'https://other.example' }))).toBe('the token is of an issuer that is not accepted');
  });
});
