import { describe, expect, it } from '@jest/globals';
import { BootError } from './boot-error.js';
import { loadConfig } from './load-config.js';
import { trailKeys } from '../../test/support/trail-keys.js';

const encryptionKey = 'a1b2c3d4e5f60718293a4b5c6d7e8f90f1e2d3c4b5a697887766554433221100';
const secret = 'secret-0123456789abcdef0123456789abcdef';
/** The settings that have no default. */
const least: Readonly<Record<string, string>> = {
  CORE_URL: 'https://core.example/ledger',
  TOKEN_ISSUER: 'https://issuer.example',
  TOKEN_AUDIENCE: 'account-information',
  TOKEN_JWKS: 'https://issuer.example/jwks.json',
  BANK_CREDENTIAL: `bank-${secret}`,
  ID_KEY: `ids-${secret}`,
  ...trailKeys,
};
const tls = { TLS_CERT_FILE: 'c.pem', TLS_KEY_FILE: 'k.pem', TLS_CLIENT_CA_FILE: 'ca.pem' };
const proxy = {
  CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
  TRUSTED_PROXIES: '10.0.0.0/8, ::1/128',
  PROXY_SECRET: `proxy-${secret}`,
};

/** The settings that a bank without an authorization server needs in addition. */
const embedded: Readonly<Record<string, string>> = {
  KEY_ENCRYPTION_KEY: encryptionKey,
  MTLS_CERT_FILE: 'm.pem',
  MTLS_KEY_FILE: 'mk.pem',
  MTLS_CLIENT_CA_FILE: 'ca.pem',
  CUSTOMER_AUTHENTICATION_URL: 'https://sign-on.example/',
  CUSTOMER_AUTHENTICATION_CREDENTIAL: `sign-on-${secret}`,
};
const noIssuer = { TOKEN_ISSUER: '', TOKEN_AUDIENCE: '', TOKEN_JWKS: '' };

function refusal(changes: Record<string, string | undefined>): string {
  try {
    loadConfig({ ...least, ...changes });
  } catch (error) {
    expect(error).toBeInstanceOf(BootError);
    return (error as BootError).message;
  }
  throw new Error('was not refused');
}

describe('the settings', () => {
  it('have the published defaults', () => {
    expect(loadConfig(least)).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      bankHost: '127.0.0.1',
      bankPort: 3001,
      baseUrl: 'http://localhost:3000',
      profile: 'profile-2',
      logLevel: 'info',
      database: { dataDir: './data' },
      cores: [{ adapter: 'ledger', url: 'https://core.example/ledger', deadlineMs: 3_000, connections: 64 }],
      bankCredentials: [`bank-${secret}`],
      twoPersons: false,
      tracing: false,
      idKey: `ids-${secret}`,
    });
    expect(loadConfig(least)).not.toHaveProperty('tls');
    expect(loadConfig(least)).not.toHaveProperty('proxy');
    expect(loadConfig(least).database).not.toHaveProperty('url');
  });

  it('are read as given, in the units of the configuration', () => {
    expect(
      loadConfig({
        ...least,
        ...proxy,
        HOST: '0.0.0.0',
        PORT: '80',
        BANK_HOST: '::1',
        BANK_PORT: '81',
        LOG_LEVEL: 'warn',
        BASE_URL: 'https://gateway.example//',
        PROFILE: 'profile-1',
        DATA_DIR: '/data',
        CORE_URL: 'https://core/',
        DATABASE_URL: 'postgresql://u:p@db/x?sslmode=verify-full',
        CORE_DEADLINE_MS: '50',
        CORE_CONNECTIONS: '1',
        TWO_PERSONS: 'yes',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
        CORE_TENANT: 'main',
      }),
    ).toMatchObject({
      host: '0.0.0.0',
      port: 80,
      bankHost: '::1',
      bankPort: 81,
      logLevel: 'warn',
      profile: 'profile-1',
      baseUrl: 'https://gateway.example',
      database: { dataDir: '/data', url: 'postgresql://u:p@db/x?sslmode=verify-full' },
      cores: [
        {
          url: 'https://core',
          deadlineMs: 50,
          connections: 1,
          // The gateway passes the settings of a bank's adapter on without reading them.
          variables: expect.objectContaining({ CORE_URL: 'https://core/', CORE_TENANT: 'main' }),
        },
      ],
      twoPersons: true,
      tracing: true,
      proxy: {
        certificateHeader: 'client-cert',
        trustedPeers: ['10.0.0.0/8', '::1/128'],
        secrets: [`proxy-${secret}`],
      },
    });
    expect(loadConfig({ ...least, ...tls }).tls).toEqual({
      certFile: 'c.pem',
      keyFile: 'k.pem',
      clientCaFile: 'ca.pem',
    });
  });

  it('count as absent when they are empty', () => {
    expect(loadConfig({ ...least, PORT: '', PROFILE: '', DATABASE_URL: '', TLS_CERT_FILE: '', BASE_URL: '' })).toEqual(
      loadConfig(least),
    );
    expect(refusal({ ID_KEY: '' })).toContain('ID_KEY');
  });

  it('keep the trail in DATA_DIR where TRAIL_DIR is absent, and count what cannot be written', () => {
    const keys = { key: trailKeys.TRAIL_KEY, pseudonymKeys: [trailKeys.PSEUDONYM_KEY] };
    expect(loadConfig({ ...least, DATA_DIR: '/data' }).trail).toEqual({
      directory: '/data/trail',
      fault: 'count',
      ...keys,
    });
    expect(loadConfig({ ...least, TRAIL_DIR: '/trail', TRAIL_FAULT: 'refuse' }).trail).toEqual({
      directory: '/trail',
      fault: 'refuse',
      ...keys,
    });
  });

  it('refuse a trail without its keys', () => {
    expect(refusal({ TRAIL_KEY: undefined })).toContain('TRAIL_KEY must be a secret of at least 32 characters');
    expect(refusal({ PSEUDONYM_KEY: undefined })).toContain('PSEUDONYM_KEY must be a secret');
    expect(refusal({ TRAIL_FAULT: 'ignore' })).toContain('TRAIL_FAULT must be one of');
  });

  it('build the base URL from the port where BASE_URL is absent', () => {
    expect(loadConfig({ ...least, PORT: '8080' }).baseUrl).toBe('http://localhost:8080');
    expect(loadConfig({ ...least, ...tls }).baseUrl).toBe('https://localhost:3000');
  });

  it('accept a base URL with a path', () => {
    expect(loadConfig({ ...least, BASE_URL: 'https://bank.example/gateway/' }).baseUrl).toBe(
      'https://bank.example/gateway',
    );
  });

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(loadConfig(least))).toBe(true);
  });

  it.each(['postgresql://reader@core.bank.example:5432/ledger', 'file:///var/lib/feed'])(
    'let the adapter check the scheme of CORE_URL: %s',
    (url) => {
      expect(loadConfig({ ...least, CORE_URL: url }).cores[0]?.url).toBe(url);
    },
  );

  it('of other programs are ignored', () => {
    expect(loadConfig({ ...least, HOME: '/root', SANDBOX_PORT: 'x', port: 'x' })).toEqual(loadConfig(least));
  });

  it.each<[string, ...(string | undefined)[]]>([
    ['PORT', '-1', '65536', '80x', '3000.5', ' 3000', '0x10', 'NaN'],
    ['BANK_PORT', '-1', '65536', 'x'],
    ['BASE_URL', 'localhost:3000', 'ftp://gateway.example', 'gateway'],
    ['BASE_URL', 'https://g.example?x=1', 'https://g.example/?', 'https://g.example/#f', 'https://u:secret@g.example'],
    ['LOG_LEVEL', 'loud', 'INFO'],
    ['DATABASE_URL', 'mysql://db/x', 'db', 'postgres:// '],
    ['CORE_URL', undefined, 'core', 'file:///', 'http://', 'http:///core'],
    ['CORE_DEADLINE_MS', '49', '60001', 'x'],
    ['CORE_CONNECTIONS', '0', '10001'],
    ['BANK_CREDENTIAL', undefined, 'short', 'x'.repeat(31)],
    ['ID_KEY', undefined, 'x'.repeat(31)],
    ['TPP_REQUESTS_PER_SECOND', '-1', '1000001', '5.5'],
    ['ALLOW_PLAIN_CONNECTIONS', 'yes', 'allow'],
    ['TOKEN_ISSUER', undefined],
    ['TOKEN_AUDIENCE', undefined],
    ['TOKEN_JWKS', undefined],
  ])('refuse a wrong %s by its name, in one line', (name, ...values) => {
    for (const value of values) {
      const line = refusal({ [name]: value });
      expect(line).toMatch(new RegExp(`^settings: .*\\b${name}\\b.*\\(see docs/operate/settings\\.md\\)$`));
      expect(line).not.toContain('secret-');
    }
  });

  it.each<[string, Record<string, string>]>([
    ['TLS_CERT_FILE, TLS_KEY_FILE, TLS_CLIENT_CA_FILE must be set together', { TLS_CERT_FILE: 'c' }],
    ['TLS_CERT_FILE, TLS_KEY_FILE, TLS_CLIENT_CA_FILE must be set together', { ...tls, TLS_CLIENT_CA_FILE: '' }],
    ['TLS_CLIENT_CRL_FILE needs TLS_CERT_FILE', { ...proxy, TLS_CLIENT_CRL_FILE: 'crl.pem' }],
    [
      'MTLS_CLIENT_CRL_FILE needs MTLS_CERT_FILE',
      { ...noIssuer, ...embedded, ...proxy, MTLS_CERT_FILE: '', MTLS_KEY_FILE: '', MTLS_CLIENT_CRL_FILE: 'crl.pem' },
    ],
    ['CLIENT_CERTIFICATE_HEADER, TRUSTED_PROXIES, PROXY_SECRET must be set together', { ...proxy, PROXY_SECRET: '' }],
    [
      'CLIENT_CERTIFICATE_HEADER, TRUSTED_PROXIES, PROXY_SECRET must be set together',
      { ...proxy, TRUSTED_PROXIES: '' },
    ],
    ['TLS_CERT_FILE and CLIENT_CERTIFICATE_HEADER exclude each other', { ...tls, ...proxy }],
    ['CLIENT_CERTIFICATE_HEADER must be the name of a header', { ...proxy, CLIENT_CERTIFICATE_HEADER: 'a b' }],
    ['TRUSTED_PROXIES must be', { ...proxy, TRUSTED_PROXIES: '10.0.0.1' }],
    ['TRUSTED_PROXIES must be', { ...proxy, TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['TRUSTED_PROXIES must be', { ...proxy, TRUSTED_PROXIES: 'proxy.example' }],
    ['PROXY_SECRET must be', { ...proxy, PROXY_SECRET: 'short-secret' }],
    ['PROXY_SECRET must be', { ...proxy, PROXY_SECRET: `${proxy.PROXY_SECRET},short-secret` }],
    ['BASE_URL must be an https URL where TLS_CERT_FILE is set', { ...tls, BASE_URL: 'http://gateway.example' }],
  ])('refuse half a protection: %s', (fault, changes) => {
    const line = refusal(changes);
    expect(line).toContain(fault);
    expect(line).not.toContain('secret-');
  });

  it('embed an authorization server where the bank names no issuer, and need no issuer then', () => {
    const config = loadConfig({ ...least, ...noIssuer, ...embedded });
    expect(config).toMatchObject({
      issuers: [],
      customerAuthentication: {
        name: 'http',
        url: 'https://sign-on.example',
        variables: { CUSTOMER_AUTHENTICATION_CREDENTIAL: `sign-on-${secret}` },
      },
      authorisationServer: {
        browser: { host: '127.0.0.1', port: 3003, url: 'http://localhost:3003' },
        tpp: {
          host: '127.0.0.1',
          port: 3004,
          url: 'https://localhost:3004',
          tls: { certFile: 'm.pem', keyFile: 'mk.pem', clientCaFile: 'ca.pem' },
        },
        keyEncryptionKey: Buffer.from(encryptionKey, 'hex'),
        acrValues: ['urn:openbanking:psd2:sca'],
      },
    });
  });

  it('name the revocation lists of both listeners of TPPs', () => {
    const lists = { TLS_CLIENT_CRL_FILE: 'crl.pem', MTLS_CLIENT_CRL_FILE: 'tpps-crl.pem' };
    const config = loadConfig({ ...least, ...noIssuer, ...embedded, ...tls, ...lists });
    expect(config.tls?.clientCrlFile).toBe('crl.pem');
    expect(config.authorisationServer?.tpp.tls?.clientCrlFile).toBe('tpps-crl.pem');
  });

  it('embed no authorization server where the bank names issuers, unless a setting asks for it', () => {
    expect(loadConfig({ ...least, ...embedded })).not.toHaveProperty('authorisationServer');
    const both = loadConfig({ ...least, ...embedded, AUTHORISATION_SERVER: 'embedded' });
    expect([both.authorisationServer?.tpp.port, both.issuers.length]).toEqual([3004, 1]);
    expect(refusal({ ...embedded, ...noIssuer, AUTHORISATION_SERVER: 'none' })).toBe(
      'settings: set ISSUERS_FILE, or TOKEN_ISSUER, TOKEN_AUDIENCE and TOKEN_JWKS, and not both (see docs/operate/settings.md)',
    );
    expect(refusal({ AUTHORISATION_SERVER: 'external' })).toContain('AUTHORISATION_SERVER');
  });

  it('name the settings of an authorization server, and ISSUERS_FILE, to a bank that set neither', () => {
    expect(refusal(noIssuer)).toBe(
      'settings: the embedded authorization server lacks KEY_ENCRYPTION_KEY, MTLS_CERT_FILE, MTLS_KEY_FILE, ' +
        'MTLS_CLIENT_CA_FILE, CUSTOMER_AUTHENTICATION_URL: set them or, where the bank has an authorization server, ' +
        'ISSUERS_FILE; KEY_ENCRYPTION_KEY is a secret: make one with `openssl rand -hex 32` (see docs/operate/settings.md)',
    );
  });

  it.each<[string, ...string[]]>([
    ['KEY_ENCRYPTION_KEY', '', 'a1', 'z'.repeat(64)],
    ['MTLS_CERT_FILE', ''],
    ['MTLS_KEY_FILE', ''],
    ['MTLS_CLIENT_CA_FILE', ''],
    ['CUSTOMER_AUTHENTICATION_URL', '', 'sign-on'],
    ['CUSTOMER_AUTHENTICATION_CREDENTIAL', 'short'],
    ['CUSTOMER_AUTHENTICATION_ACR', ' ', 'one  two', 'é'],
    ['BROWSER_PORT', 'x', '65536'],
    ['MTLS_PORT', 'x', '65536'],
    ['BROWSER_URL', 'x', 'https://bank.example/pages', 'ftp://bank.example'],
    ['MTLS_URL', 'x', 'http://bank.example', 'https://bank.example/?a=b'],
    ['BROWSER_TLS_CERT_FILE', 'b.pem'],
  ])('refuse a wrong %s of the authorization server by its name, in one line', (name, ...values) => {
    for (const value of values) {
      const line = refusal({ ...noIssuer, ...embedded, [name]: value });
      expect(line).toMatch(new RegExp(`^settings: .*\\b${name}\\b.*\\(see docs/operate/settings\\.md\\)$`));
      expect(line).not.toMatch(/secret-|a1b2/);
    }
  });

  describe.each<[string, string, string[]]>([
    ['keys that verify tokens', 'TOKEN_JWKS', ['http://[::1]:3002/jwks.json', '/etc/keys/jwks.json']],
    ['customers’ passwords and codes', 'BROWSER_URL', ['http://localhost:3003']],
  ])('let a connection carry %s: %s', (_what, name, onThisMachine) => {
    const both = { ...embedded, AUTHORISATION_SERVER: 'embedded' };
    const plain = { ...both, [name]: 'http://sandbox-bank:3002' };

    it.each<[string, Record<string, string>]>([
      ['an https BASE_URL', { BASE_URL: 'HTTPS://api.bank.example' }],
      ['TLS', tls],
      ['a proxy that ends TLS', proxy],
    ])('is refused on plain HTTP to another machine with %s', (_where, overTls) => {
      expect(refusal({ ...plain, ...overTls })).toBe(
        `settings: ${name} must not be plain HTTP to another machine where TPPs come over TLS (see docs/operate/settings.md)`,
      );
      for (const value of [...onThisMachine, 'https://bank.example'])
        expect(() => loadConfig({ ...least, ...both, ...overTls, [name]: value })).not.toThrow();
    });

    it('is accepted on plain HTTP where every connection is plain HTTP', () => {
      expect(() => loadConfig({ ...least, ...plain, BASE_URL: 'http://localhost:3000' })).not.toThrow();
    });
  });

  it.each(['BANK_CREDENTIAL', 'ID_KEY'])('give a command that makes %s where it is missing', (name) => {
    expect(refusal({ [name]: undefined })).toContain(
      `${name} must be a secret of at least 32 characters: make one with \`openssl rand -hex 32\``,
    );
  });

  it.each<[string, Record<string, string>, string]>([
    ['PROXY_SECRET', {}, 'CLIENT_CERTIFICATE_HEADER, TRUSTED_PROXIES, PROXY_SECRET must be set together'],
  ])('give a command that makes %s where it alone is missing', (name, changes, fault) => {
    expect(refusal({ ...proxy, ...changes, [name]: '' })).toBe(
      `settings: ${fault}; ${name} is a secret: make one with \`openssl rand -hex 32\` (see docs/operate/settings.md)`,
    );
  });

  it.each([
    ['BANK_CREDENTIAL', ' ', '\n', '\u0000', 'é'],
    ['CUSTOMER_AUTHENTICATION_CREDENTIAL', '\n', '\u0000', 'é'],
    ['PROXY_SECRET', '\n', '\u0000', 'é'],
  ])('refuse a %s that no header can carry', (name, ...characters) => {
    const others = { ...proxy, CUSTOMER_AUTHENTICATION_URL: 'https://sign-on.example', ...embedded };
    for (const character of characters) {
      const line = refusal({ ...others, [name]: `one-${character}${secret}` });
      expect(line).toMatch(new RegExp(`^settings: ${name} must be printable ASCII without`));
      expect(line).not.toContain('secret-');
    }
    for (const spaced of [` x${secret}`, `x${secret} `])
      expect(refusal({ ...others, [name]: spaced })).toContain(`${name} must be printable ASCII without`);
  });

  it.each<[string, (list: string) => readonly string[] | undefined]>([
    ['BANK_CREDENTIAL', (list) => loadConfig({ ...least, BANK_CREDENTIAL: list }).bankCredentials],
    ['PROXY_SECRET', (list) => loadConfig({ ...least, ...proxy, PROXY_SECRET: list }).proxy?.secrets],
    ['PSEUDONYM_KEY', (list) => loadConfig({ ...least, PSEUDONYM_KEY: list }).trail.pseudonymKeys],
  ])('accept several values of %s, of which the first is the present one', (name, read) => {
    const [present, previous] = [`present-${secret}`, `previous-${secret}`];
    expect(read(`${present},${previous}`)).toEqual([present, previous]);
    expect(refusal({ ...proxy, [name]: `${present},short` })).toContain(`${name} must be a secret`);
    expect(refusal({ ...proxy, [name]: `${present},` })).toContain(`${name} must be a secret`);
    expect(refusal({ ...proxy, [name]: `${present},${present}` })).toContain(`${name} has one secret twice`);
  });

  it('have one rate of requests, and none limits nothing', () => {
    expect(loadConfig({ ...least, TPP_REQUESTS_PER_SECOND: '7' }).rateLimits).toMatchObject({
      requests: { perSecond: 7, burst: 14 },
    });
    const none = loadConfig({ ...least, ...noIssuer, ...embedded, TPP_REQUESTS_PER_SECOND: '0' });
    expect(none.rateLimits).toEqual({});
    expect(none.authorisationServer?.limits).toEqual({ failures: { perSecond: 1, burst: 30 } });
  });

  it('refuse a weak secret, a misspelt setting, and an unprotected address', () => {
    const line = refusal({ ID_KEY: '0'.repeat(64), TRAILDIR: '/t', BANK_HOST: '0.0.0.0' });
    expect(line).toContain('TRAILDIR is not a setting; did you mean TRAIL_DIR?');
    expect(line).toContain('ID_KEY has fewer than 8 different characters');
    expect(line).toContain('BANK_HOST is not a loopback address and BANK_PORT has no TLS');
  });

  it.each<[string, Record<string, string>, string]>([
    ['behind mutual TLS', tls, 'mtls-or-dpop'],
    ['behind a proxy that ends it', proxy, 'mtls-or-dpop'],
    ['on plain HTTP', {}, 'none'],
  ])('demand of the tokens of TOKEN_ISSUER %s a binding: %j', (_where, changes, binding) => {
    expect(loadConfig({ ...least, ...changes }).issuers).toMatchObject([{ binding }]);
  });

  it('name every fault at once', () => {
    const line = refusal({ PORT: 'x', LOG_LEVEL: 'x', ID_KEY: undefined });
    for (const name of ['PORT', 'LOG_LEVEL', 'ID_KEY']) expect(line).toContain(name);
    expect(line).not.toContain('\n');
  });
});
