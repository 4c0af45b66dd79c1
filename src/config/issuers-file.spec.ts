import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BootError } from './boot-error.js';
import { defaultClaims } from './config.js';
import { readIssuersFile } from './issuers-file.js';
import { loadConfig } from './load-config.js';
import { trailKeys } from '../../test/support/trail-keys.js';

const signed = {
  issuer: 'https://as.bank.example',
  audience: 'https://api.bank.example',
  jwks: 'https://as.bank.example/jwks',
  algorithms: ['PS256'],
  binding: 'mtls',
};
const introspection = {
  url: 'https://as.bank.example/introspect',
  clientId: 'gateway',
  certificateFile: 'own.pem',
  keyFile: 'own.pem',
  caFile: 'own.pem',
};
const { jwks: _jwks, algorithms: _algorithms, ...asked } = { ...signed, introspection };

const settings = {
  CORE_URL: 'https://core.example',
  BANK_CREDENTIAL: 'bank-credential-0123456789abcdefghij',
  ID_KEY: 'id-key-0123456789abcdefghijklmnopqrs',
  ...trailKeys,
};
const simple = { TOKEN_ISSUER: 'https://as.bank.example', TOKEN_AUDIENCE: 'aud', TOKEN_JWKS: 'https://as/jwks' };

describe('ISSUERS_FILE', () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'issuers-'));
    file = join(folder, 'issuers.json');
    writeFileSync(join(folder, 'own.pem'), 'PEM');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (content: unknown): string => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const faultsOf = (content: unknown, unbound = false): string[] => {
    const faults: string[] = [];
    readIssuersFile(write(content), unbound, faults);
    return faults;
  };
  const refusal = (variables: Record<string, string>): string => {
    try {
      loadConfig({ ...settings, ...variables });
    } catch (error) {
      expect(error).toBeInstanceOf(BootError);
      return (error as BootError).message;
    }
    return '';
  };

  it('names the issuers, with defaults for absent members, and is frozen', () => {
    const faults: string[] = [];
    const issuers = readIssuersFile(
      write([
        {
          ...signed,
          issuer: 'https://other.example',
          jwks: 'own.pem',
          typ: 'JWT',
          claims: { consentId: 'bank.consent' },
        },
        asked,
      ]),
      false,
      faults,
    );
    expect(faults).toEqual([]);
    expect(issuers).toEqual([
      {
        issuer: 'https://other.example',
        audience: 'https://api.bank.example',
        binding: 'mtls',
        jwks: join(folder, 'own.pem'),
        algorithms: ['PS256'],
        typ: 'JWT',
        claims: { ...defaultClaims, consentId: 'bank.consent' },
        subjectIsCustomer: false,
      },
      {
        issuer: 'https://as.bank.example',
        audience: 'https://api.bank.example',
        binding: 'mtls',
        claims: defaultClaims,
        subjectIsCustomer: false,
        introspection: {
          url: 'https://as.bank.example/introspect',
          clientId: 'gateway',
          certificateFile: join(folder, 'own.pem'),
          keyFile: join(folder, 'own.pem'),
          caFile: join(folder, 'own.pem'),
          cacheMs: 10_000,
        },
      },
    ]);
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(issuers)).toBe(true);
  });

  it.each([
    ['{', 'ISSUERS_FILE is not valid JSON'],
    [{}, 'ISSUERS_FILE must hold a JSON list of one issuer or more'],
    [[], 'ISSUERS_FILE must hold a JSON list of one issuer or more'],
    [['https://as.bank.example'], 'ISSUERS_FILE [0] must be an object'],
    [[null], 'ISSUERS_FILE [0] must be an object'],
    [[signed, signed], 'ISSUERS_FILE names the issuer https://as.bank.example twice'],
    [
      [asked, { ...asked, issuer: 'https://b.example' }],
      'ISSUERS_FILE has two issuers with introspection: an opaque token does not say whose it is',
    ],
  ])('refuses %j as a whole', (content, fault) => {
    expect(faultsOf(content)).toEqual([fault]);
  });

  it.each<[string, object]>([
    ...['', 5, 'my issuer', 'https://as.example/ŵ', 'x'.repeat(1_001)].map((issuer): [string, object] => [
      'issuer must be 1 to 1,000 printable ASCII characters without a space',
      { issuer },
    ]),
    ['issuer must not be embedded: TPPs of the embedded authorization server have this issuer', { issuer: 'embedded' }],
    ['audience must be longer than or equal to 1 characters', { audience: 5 }],
    ['binding must be one of the following values: mtls, dpop, none', { binding: 'tls' }],
    [
      'binding must be mtls or dpop; none is for a sandbox, which says ALLOW_PLAIN_CONNECTIONS=sandbox',
      { binding: 'none' },
    ],
    ['jwks must be an https URL, an http URL of this machine, or a file', { jwks: 'http://as.bank.example/jwks' }],
    ['jwks must be an https URL, an http URL of this machine, or a file', { jwks: 'http://localhost.evil.example/' }],
    ['jwks must be an https URL, an http URL of this machine, or a file', { jwks: 'ftp://as.bank.example/jwks' }],
    ['jwks is not a readable file', { jwks: 'absent.json' }],
    ['jwksCaFile is not a readable file', { jwksCaFile: 'absent.pem' }],
    ['algorithms must be one of the following values: PS256, ES256', { algorithms: ['RS256'] }],
    ['algorithms must be one of the following values: PS256, ES256', { algorithms: ['PS256', 'none'] }],
    ['algorithms should not be empty', { algorithms: [] }],
    ['typ must be a media type, e.g. at+jwt', { typ: 'at jwt' }],
    ['claims.consentId must be longer than or equal to 1 characters', { claims: { consentId: '' } }],
    ['claims.consent is not a setting', { claims: { consent: 'x' } }],
    [
      'claims.authenticationTime must not be iat: each refresh would reopen the window',
      { claims: { authenticationTime: 'iat' } },
    ],
    ['claims must be an object', { claims: null }],
    ['acrValues should not be empty', { acrValues: [] }],
    ['subjectIsCustomer must be a boolean value', { subjectIsCustomer: 'yes' }],
    ['audiences is not a setting', { audiences: ['x'] }],
    ['jwks or introspection must be given, and only one of them', { introspection }],
    ['jwks or introspection must be given, and only one of them', { jwks: undefined, algorithms: undefined }],
  ])('refuses an issuer that signs: %s', (fault, change) => {
    expect(faultsOf([signed])).toEqual([]);
    const faults = faultsOf([asked, { ...signed, issuer: 'https://b.example', ...change }]);
    expect(faults).toContain(`ISSUERS_FILE [1].${fault}`);
    expect(faults.every((line) => line.startsWith('ISSUERS_FILE [1].'))).toBe(true);
  });

  it.each<[string, object]>([
    ['introspection.url must be an https URL', { url: 'http://127.0.0.1/introspect' }],
    ['introspection.clientId must be longer than or equal to 1 characters', { clientId: '' }],
    ['introspection.keyFile is not a readable file', { keyFile: 'absent.pem' }],
    ['introspection.cacheSeconds must not be greater than 60', { cacheSeconds: 61 }],
    ['introspection.secret is not a setting', { secret: 'x' }],
    ['introspection.url must be an https URL', { url: 'https://' }],
  ])('refuses an issuer that is asked: %s', (fault, change) => {
    expect(faultsOf([{ ...asked, introspection: { ...introspection, ...change } }])).toEqual([
      `ISSUERS_FILE [0].${fault}`,
    ]);
  });

  it('names a field of the wrong kind by its path', () => {
    expect(faultsOf([{ ...asked, introspection: 'https://as.bank.example', claims: [] }])).toEqual([
      expect.stringMatching(/^ISSUERS_FILE \[0\]\.introspection must be /),
      expect.stringMatching(/^ISSUERS_FILE \[0\]\.claims must be /),
    ]);
  });

  it('refuses members that belong to the other way of verification', () => {
    expect(faultsOf([{ ...asked, algorithms: ['PS256'], typ: 'JWT' }])).toEqual([
      'ISSUERS_FILE [0].algorithms is a setting of jwks, which is not given',
      'ISSUERS_FILE [0].typ is a setting of jwks, which is not given',
    ]);
  });

  it('accepts unbound tokens only where a sandbox on plain HTTP allows them', () => {
    const unbound = { ISSUERS_FILE: write([{ ...signed, binding: 'none' }]), ALLOW_PLAIN_CONNECTIONS: 'sandbox' };
    expect(loadConfig({ ...settings, ...unbound }).issuers[0]?.binding).toBe('none');
    expect(refusal({ ...unbound, ALLOW_PLAIN_CONNECTIONS: '' })).toContain(
      'which says ALLOW_PLAIN_CONNECTIONS=sandbox',
    );
    expect(refusal({ ...unbound, BASE_URL: 'https://api.bank.example' })).toContain('is for a sandbox alone');
    const tls = { TLS_CERT_FILE: 'a', TLS_KEY_FILE: 'b', TLS_CLIENT_CA_FILE: 'c' };
    expect(refusal({ ...unbound, ...tls })).toContain('is for a sandbox alone');
    const proxy = {
      CLIENT_CERTIFICATE_HEADER: 'client-cert',
      TRUSTED_PROXIES: '10.0.0.0/8',
      PROXY_SECRET: 's'.repeat(32),
    };
    expect(refusal({ ...unbound, ...proxy })).toContain('is for a sandbox alone');
  });

  it('or TOKEN_ISSUER, TOKEN_AUDIENCE and TOKEN_JWKS: exactly one of the two', () => {
    const withFile = { ISSUERS_FILE: write([signed]) };
    const both = 'set ISSUERS_FILE, or TOKEN_ISSUER, TOKEN_AUDIENCE and TOKEN_JWKS, and not both';
    expect(refusal({ AUTHORISATION_SERVER: 'none' })).toContain(both);
    expect(refusal({ ...withFile, ...simple })).toContain(both);
    expect(refusal({ TOKEN_ISSUER: 'https://as.bank.example' })).toContain('must be set together');
    expect(loadConfig({ ...settings, ...withFile }).issuers.map(({ issuer }) => issuer)).toEqual([signed.issuer]);
    expect(loadConfig({ ...settings, ...simple }).issuers).toEqual([
      {
        issuer: 'https://as.bank.example',
        audience: 'aud',
        jwks: 'https://as/jwks',
        algorithms: ['PS256', 'ES256'],
        typ: 'at+jwt',
        claims: defaultClaims,
        binding: 'none',
        subjectIsCustomer: false,
      },
    ]);
  });

  it('that is wrong stops the boot with one line, which names the path of each fault', () => {
    const line = refusal({ ISSUERS_FILE: write([{ ...signed, typ: '', binding: 'x' }]), PORT: 'x' });
    expect(line).not.toContain('\n');
    expect(line).toMatch(/^settings: .*PORT.*; ISSUERS_FILE \[0\]\.binding .*; ISSUERS_FILE \[0\]\.typ /);
  });
});
