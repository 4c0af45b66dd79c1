import { describe, expect, it } from '@jest/globals';
import { isCoreSettingFault } from '../../../../packages/core-adapter/core-settings.js';
import { fineractVariables, type FineractSettings, readFineractSettings } from './fineract.settings.js';

const needed = {
  CORE_TENANT: 'default',
  CORE_TENANT_TIME_ZONE: 'Europe/London',
  CORE_PRODUCTS: '1=CurrentAccount, 2=Savings',
  CORE_USERNAME: 'gateway',
  CORE_PASSWORD: 'a secret',
};
const url = 'https://fineract.internal:8443/fineract-provider/api';
const read = (variables: Record<string, string | undefined> = {}, at = url): FineractSettings => {
  const given = Object.entries({ ...needed, ...variables }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return readFineractSettings({ url: at, connections: 3, variables: Object.fromEntries(given) });
};
const fault = (variables: Record<string, string | undefined>, at?: string): [string, string] => {
  try {
    read(variables, at);
  } catch (error) {
    if (isCoreSettingFault(error)) return [error.setting, error.message];
    throw error;
  }
  throw new Error('nothing was wrong with it');
};
const oauth = {
  CORE_USERNAME: undefined,
  CORE_PASSWORD: undefined,
  CORE_TOKEN_URL: 'https://id.internal/token',
  CORE_CLIENT_ID: 'gateway',
  CORE_CLIENT_SECRET: 'a secret',
};

describe('the settings of Fineract', () => {
  it('are at least a tenant, a user, products and a time zone', () => {
    expect(read()).toEqual({
      url,
      connections: 3,
      tenant: 'default',
      timeZone: 'Europe/London',
      dormantPermitted: true,
      login: { kind: 'basic', username: 'gateway', password: 'a secret' },
      products: new Map([
        [1, 'CurrentAccount'],
        [2, 'Savings'],
      ]),
    });
  });

  it('may name data tables, certificates and the treatment of dormant accounts', () => {
    expect(
      read({
        CORE_IDENTIFIERS_TABLE: 'ob identifiers',
        CORE_BENEFICIARIES_TABLE: 'ob_beneficiary',
        CORE_CA_FILE: '/etc/fineract/ca.pem',
        CORE_CERT_FILE: '/etc/fineract/gateway.pem',
        CORE_KEY_FILE: '/etc/fineract/gateway.key',
        CORE_DORMANT: 'refuse',
      }),
    ).toMatchObject({
      identifiersTable: 'ob identifiers',
      beneficiariesTable: 'ob_beneficiary',
      ca: { setting: 'CORE_CA_FILE', path: '/etc/fineract/ca.pem' },
      certificate: { setting: 'CORE_CERT_FILE', path: '/etc/fineract/gateway.pem' },
      key: { setting: 'CORE_KEY_FILE', path: '/etc/fineract/gateway.key' },
      dormantPermitted: false,
    });
  });

  it('may name a client of an authorization server instead of a user', () => {
    expect(read(oauth).login).toEqual({
      kind: 'oauth',
      tokenUrl: 'https://id.internal/token',
      clientId: 'gateway',
      clientSecret: 'a secret',
    });
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['CORE_TENANT', { CORE_TENANT: undefined }],
    ['CORE_TENANT', { CORE_TENANT: 'a tenant\r\nx-header: 1' }],
    ['CORE_TENANT_TIME_ZONE', { CORE_TENANT_TIME_ZONE: undefined }],
    ['CORE_TENANT_TIME_ZONE', { CORE_TENANT_TIME_ZONE: 'Asia/Colombo' }],
    ['CORE_USERNAME', { CORE_USERNAME: '' }],
    ['CORE_USERNAME', { CORE_USERNAME: 'a:b' }],
    ['CORE_PASSWORD', { CORE_PASSWORD: undefined }],
    ['CORE_USERNAME', { ...oauth, CORE_USERNAME: 'gateway' }],
    ['CORE_PASSWORD', { ...oauth, CORE_PASSWORD: 'a secret' }],
    ['CORE_TOKEN_URL', { ...oauth, CORE_TOKEN_URL: undefined }],
    ['CORE_TOKEN_URL', { ...oauth, CORE_TOKEN_URL: 'token' }],
    ['CORE_TOKEN_URL', { ...oauth, CORE_TOKEN_URL: 'http://id.internal/token' }],
    ['CORE_CLIENT_ID', { ...oauth, CORE_CLIENT_ID: '' }],
    ['CORE_CLIENT_SECRET', { ...oauth, CORE_CLIENT_SECRET: undefined }],
    ['CORE_PRODUCTS', { CORE_PRODUCTS: undefined }],
    ['CORE_PRODUCTS', { CORE_PRODUCTS: '1' }],
    ['CORE_PRODUCTS', { CORE_PRODUCTS: '1=Prepaid card=2' }],
    ['CORE_PRODUCTS', { CORE_PRODUCTS: '1=' }],
    ['CORE_PRODUCTS', { CORE_PRODUCTS: '0=Savings' }],
    ['CORE_PRODUCTS', { CORE_PRODUCTS: '1=Savings,1=CurrentAccount' }],
    ['CORE_PRODUCTS', { CORE_PRODUCTS: '1=Savings,' }],
    ['CORE_DORMANT', { CORE_DORMANT: 'maybe' }],
    ['CORE_IDENTIFIERS_TABLE', { CORE_IDENTIFIERS_TABLE: '../m_appuser' }],
    ['CORE_BENEFICIARIES_TABLE', { CORE_BENEFICIARIES_TABLE: 'a;b' }],
  ])('are refused by name, without the value: %s in %j', (setting, variables) => {
    const [named, message] = fault(variables);
    expect(named).toBe(setting);
    for (const value of Object.values(variables))
      if (value !== undefined && value !== 'gateway' && value.length > 3) expect(message).not.toContain(value);
  });

  it.each([
    'http://fineract.internal:8080/fineract-provider/api',
    'https://mifos:password@fineract.internal/api',
    'https://fineract.internal/api?tenantIdentifier=default',
    'ftp://fineract.internal/api',
  ])('are refused for a CORE_URL that is not safe: %s', (at) => {
    const [named, message] = fault({}, at);
    expect(named).toBe('CORE_URL');
    expect(message).not.toContain('password@');
  });

  it('allow plain HTTP on this machine, and to another machine only with ALLOW_PLAIN_CONNECTIONS=sandbox', () => {
    for (const own of ['http://127.0.0.1:8080/api', 'http://localhost:8080/api', 'http://[::1]:8080/api'])
      expect(read({}, own).url).toBe(own);
    const other = 'http://fineract.internal:8080/api';
    expect(fault({ ALLOW_PLAIN_CONNECTIONS: 'yes' }, other)[0]).toBe('CORE_URL');
    expect(fault({}, 'http://127.0.0.1.example/api')[0]).toBe('CORE_URL');
    expect(read({ ALLOW_PLAIN_CONNECTIONS: 'sandbox' }, other).url).toBe(other);
  });

  it('are all named', () => {
    expect(Object.keys(fineractVariables)).toEqual(expect.arrayContaining([...Object.keys(needed), 'CORE_CA_FILE']));
  });
});
