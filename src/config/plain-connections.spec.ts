import { describe, expect, it } from '@jest/globals';
import { Environment } from './environment.dto.js';
import { isLoopbackHost, isPrivateDatabase, refusePlainConnections } from './plain-connections.js';

const faultsOf = (settings: Readonly<Record<string, string>>): string[] => {
  const faults: string[] = [];
  refusePlainConnections(Object.assign(new Environment(), { CORE_URL: 'https://core.example', ...settings }), faults);
  return faults;
};

const allowed = { ALLOW_PLAIN_CONNECTIONS: 'sandbox' };

describe('a connection without TLS', () => {
  it.each([
    [{ BANK_HOST: '0.0.0.0' }, 'BANK_HOST'],
    [{ BANK_HOST: '::' }, 'BANK_HOST'],
    [{ BANK_HOST: '10.0.0.5' }, 'BANK_HOST'],
    [{ CORE_URL: 'http://core.example/ledger' }, 'CORE_URL'],
    [{ CORE_URL: 'HTTP://128.0.0.1' }, 'CORE_URL'],
    [{ CUSTOMER_AUTHENTICATION_URL: 'http://sign-on.example' }, 'CUSTOMER_AUTHENTICATION_URL'],
    [{ DATABASE_URL: 'postgresql://u:p@db.example/x' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgresql://db.example/x?sslmode=disable' }, 'DATABASE_URL'],
  ])('to another machine is refused unless the sandbox allows it: %j', (settings, name) => {
    const [fault = '', ...more] = faultsOf(settings);
    expect(more).toEqual([]);
    expect(fault).toMatch(new RegExp(`^${name}\\b.*, or in a sandbox set ALLOW_PLAIN_CONNECTIONS=sandbox$`));
    expect(faultsOf({ ...settings, ...allowed })).toEqual([]);
  });

  it.each([
    [{ TLS_CERT_FILE: 'c.pem' }],
    [{ CLIENT_CERTIFICATE_HEADER: 'client-cert' }],
    [{ BASE_URL: 'HTTPS://api.bank.example' }],
    [{ BROWSER_URL: 'https://approve.bank.example' }],
    [{ MTLS_URL: 'https://tpps.bank.example' }],
  ])('can be allowed in no gateway that serves others over TLS: %j', (settings) => {
    expect(faultsOf({ ...settings, ...allowed })).toEqual([
      expect.stringMatching(/^ALLOW_PLAIN_CONNECTIONS=sandbox is for a sandbox alone: no TLS_CERT_FILE/),
    ]);
    expect(faultsOf(settings)).toEqual([]);
  });

  it('can be allowed in a sandbox with addresses of this machine', () => {
    const own = {
      BROWSER_URL: 'http://localhost:3003',
      MTLS_URL: 'https://localhost:3004',
      BASE_URL: 'http://gateway',
    };
    expect(faultsOf({ ...own, ...allowed })).toEqual([]);
  });

  it.each([
    [{ BANK_HOST: '127.0.0.1' }],
    [{ BANK_HOST: '::1' }],
    [{ BANK_HOST: 'localhost' }],
    [{ BANK_HOST: '0.0.0.0', BANK_TLS_CERT_FILE: 'c.pem' }],
    [{ CORE_URL: 'http://127.8.0.1:3002/ledger' }],
    [{ CORE_URL: 'http://[::1]:3002' }],
    [{ CORE_URL: 'https://core.example' }],
    [{ CUSTOMER_AUTHENTICATION_URL: 'http://localhost:3002' }],
    [{ DATABASE_URL: 'postgresql://u:p@localhost:5432/x' }],
  ])('stays on this machine, or has TLS: %j', (settings) => {
    expect(faultsOf(settings)).toEqual([]);
  });

  it.each([
    ['postgresql://u:p@db/x', false],
    ['postgresql://u:p@db/x?sslmode=disable', false],
    ['postgresql://u:p@db/x?sslmode=require', true],
    ['postgresql://u:p@db/x?sslmode=no-verify', false],
    ['postgresql://u:p@db/x?sslmode=verify-full', true],
    ['postgresql://u:p@db/x?schema=a&sslmode=verify-ca', true],
    ['postgres://[::1]:2/x', true],
    ['postgresql://u:p%40db@127.0.0.1/x', true],
    ['postgresql:///x', true],
    ['postgresql:///x?host=/var/run/postgresql', true],
    ['postgresql://%2Fvar%2Frun%2Fpostgresql/x', true],
  ])('of a database is recognised by its URL: %s %s', (url, isPrivate) => {
    expect(isPrivateDatabase(url)).toBe(isPrivate);
  });

  it('goes to the server of PGHOST when the URL names no server', () => {
    expect(isPrivateDatabase('postgresql:///x', 'db.example')).toBe(false);
    expect(isPrivateDatabase('postgresql:///x', '/var/run/postgresql')).toBe(true);
    expect(isPrivateDatabase('postgresql://127.0.0.1/x', 'db.example')).toBe(true);
    const faults: string[] = [];
    const environment = Object.assign(new Environment(), {
      CORE_URL: 'https://core.example',
      DATABASE_URL: 'postgresql:///x',
    });
    refusePlainConnections(environment, faults, 'db.example');
    expect(faults).toEqual([expect.stringMatching(/^DATABASE_URL is on another machine/)]);
  });

  it('to a name that only resembles this machine is refused', () => {
    expect(['127.0.0.1.example', 'localhost.example', '127', '::2', '0.0.0.0'].filter(isLoopbackHost)).toEqual([]);
  });
});
