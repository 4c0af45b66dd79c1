import { describe, expect, it } from '@jest/globals';
import type { GatewayConfig } from './config.js';
import { loadConfig } from './load-config.js';
import { trailKeys } from '../../test/support/trail-keys.js';

const secret = 'secret-0123456789abcdef0123456789abcdef';
const others: Readonly<Record<string, string>> = {
  TOKEN_ISSUER: 'https://issuer.example',
  TOKEN_AUDIENCE: 'account-information',
  TOKEN_JWKS: 'https://issuer.example/jwks.json',
  BANK_CREDENTIAL: `bank-${secret}`,
  ID_KEY: `ids-${secret}`,
  ...trailKeys,
};
const two = {
  CORES: 'ledger,cards',
  CORE_LEDGER_URL: 'https://ledger.example/',
  CORE_CARDS_URL: 'https://cards.example',
};

const loaded = (given: Record<string, string>): GatewayConfig => loadConfig({ ...others, ...given });
function refusal(given: Record<string, string>): string {
  try {
    loaded(given);
  } catch (error) {
    return (error as Error).message;
  }
  return 'was not refused';
}

describe('the settings of several cores', () => {
  it('have the defaults of a single core, and its name as the adapter', () => {
    const { cores } = loaded(two);
    expect(cores).toEqual([
      {
        name: 'ledger',
        recordedAs: 'ledger',
        adapter: 'ledger',
        url: 'https://ledger.example',
        deadlineMs: 3_000,
        connections: 64,
        variables: { CORE_URL: 'https://ledger.example/' },
      },
      {
        name: 'cards',
        recordedAs: 'cards',
        adapter: 'cards',
        url: 'https://cards.example',
        deadlineMs: 3_000,
        connections: 64,
        variables: { CORE_URL: 'https://cards.example' },
      },
    ]);
  });

  it('are each core’s own, and reach its adapter under the names of a single core', () => {
    const [ledger, cards] = loaded({
      ...two,
      FIRST_CORE: 'ledger',
      CORE_CARDS_ADAPTER: '/adapters/cards.js',
      CORE_CARDS_DEADLINE_MS: '500',
      CORE_CARDS_CONNECTIONS: '8',
      CORE_CARDS_HOLDS: 'CreditCard, Savings',
      CORE_CARDS_TENANT: 'plastic',
      CORE_LEDGER_TENANT: 'main',
    }).cores;
    expect(ledger).not.toHaveProperty('recordedAs');
    expect(ledger).toMatchObject({ deadlineMs: 3_000, connections: 64, variables: { CORE_TENANT: 'main' } });
    expect(ledger).not.toHaveProperty('holds');
    expect(cards).toMatchObject({
      adapter: '/adapters/cards.js',
      deadlineMs: 500,
      connections: 8,
      holds: ['CreditCard', 'Savings'],
      variables: { CORE_URL: 'https://cards.example', CORE_TENANT: 'plastic' },
    });
    expect(Object.keys(cards?.variables ?? {}).filter((name) => /LEDGER|CARDS/.test(name))).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['CORE and CORES exclude each other', { CORE: 'ledger' }],
    ['CORES names a core twice', { CORES: 'ledger,cards,ledger' }],
    ['CORES must be names of small letters and digits', { CORES: 'ledger, cards' }],
    ['CORES must be names of small letters and digits', { CORES: 'Ledger' }],
    ['CORES must be names of small letters and digits', { CORES: 'core-a' }],
    ['CORE_LOANS_URL must be a URL with its scheme', { CORES: 'ledger,cards,loans' }],
    ['CORE_CARDS_URL must be a URL with its scheme', { CORE_CARDS_URL: 'secret-place' }],
    ['CORE_CARDS_DEADLINE_MS must', { CORE_CARDS_DEADLINE_MS: '49' }],
    ['CORE_CARDS_CONNECTIONS must', { CORE_CARDS_CONNECTIONS: 'many' }],
    ['FIRST_CORE must be a name of CORES', { FIRST_CORE: 'secret-core' }],
    [
      'CORE_CONNECTIONS is for a single core: with CORES set CORE_LEDGER_CONNECTIONS, CORE_CARDS_CONNECTIONS',
      { CORE_CONNECTIONS: '5' },
    ],
    [
      'CORE_CARDS_URL is plain HTTP to another machine: make it https, or in a sandbox set ALLOW_PLAIN_CONNECTIONS=sandbox',
      { CORE_CARDS_URL: 'http://cards.example' },
    ],
  ])('are refused in one line that names the setting: %s', (fault, given) => {
    const line = refusal({ ...two, ...given });
    expect(line).toContain(fault);
    expect(line).toMatch(/^settings: .*\(see docs\/operate\/settings\.md\)$/);
    expect(line).not.toContain('secret-');
  });

  it.each([
    ['CORE_CRADS_URL', 'CORE_CARDS_URL'],
    ['CORE_CARDS_DEADLINE', 'CORE_CARDS_DEADLINE_MS'],
    ['CORE_CARDS_URI', 'CORE_CARDS_URL'],
    ['CORE_LEDGER_CONNECTION', 'CORE_LEDGER_CONNECTIONS'],
  ])('are missed where a name is misspelt: %s, for %s', (name, setting) => {
    expect(refusal({ ...two, [name]: '1' })).toContain(`${name} is not a setting; did you mean ${setting}?`);
  });

  it('belong to CORES: without it FIRST_CORE is refused, and another name is the adapter’s', () => {
    expect(refusal({ CORE_URL: 'https://core.example', FIRST_CORE: 'ledger' })).toContain(
      'FIRST_CORE is for several cores',
    );
    const [core] = loaded({ CORE_URL: 'https://core.example', CORE_CARDS_URL: 'x' }).cores;
    expect(core?.variables).toEqual({ CORE_URL: 'https://core.example', CORE_CARDS_URL: 'x' });
  });
});
