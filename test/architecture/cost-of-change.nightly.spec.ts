// Nightly: it compiles all sources several times.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { startSandboxBank, type SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { SystemClock } from '../../src/clock/clock.js';
import { helpUrl } from '../support/error-shape.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { freePort } from '../support/free-port.js';
import { RunningGateway } from '../support/running-gateway.js';
import { bankCredential, base, type Json } from '../support/stack.js';
import { CopiedSources } from './copied-sources.js';
import { addEndpoint, addError, addField, addProduct, addProfile } from './rehearsed-changes.js';
import { startSmallCore, type SmallCore } from './small-core.js';
import { trailKeys } from '../support/trail-keys.js';

const contributing = readFileSync(join(packageRoot(), 'CONTRIBUTING.md'), 'utf8');

/** The names that the rehearsals give to the parts that CONTRIBUTING.md leaves open. */
const names = { '<resources>': 'pockets', '<resource>': 'pocket', '<name>': 'rehearsed' };

/** The files of the product that a section of CONTRIBUTING.md names, with the names that its rehearsal gives them. */
function listed(section: string, given: Readonly<Record<string, string>>): string[] {
  const text = contributing.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  const named = [...text.matchAll(/`((?:src|packages|adapter-tools)\/[\w./<>-]+\.ts)`/g)].flatMap(
    ([, file]) => file ?? [],
  );
  return named
    .filter((file) => !file.endsWith('.spec.ts'))
    .map((file) =>
      Object.entries(given).reduce((path, [placeholder, name]) => path.replaceAll(placeholder, name), file),
    )
    .sort();
}

const ofSource = (files: readonly string[]): string[] => files.filter((file) => file.startsWith('src/'));

const clientId = 'tpp-one';
/** The compiler reads all sources. */
const compilesWithinMs = 300_000;

interface GivenConsent {
  readonly accountId: string;
  readonly token: string;
}

describe('a change rehearsed on a copy of the sources', () => {
  let sources: CopiedSources;
  let core: SmallCore;
  let bank: SandboxBank;
  let gateway: RunningGateway | undefined;
  let complaints: Promise<string>;
  let origin: string;
  let url: string;
  let document: Json;
  let facts: Json;
  let token: string;
  let accountId: string;
  let bankUrl: string;
  const changed: Record<string, string[]> = {};

  async function ask(path: string, basePath: string = base, bearer = token): Promise<{ status: number; json: Json }> {
    const answer = await fetch(`${origin}${basePath}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
    return { status: answer.status, json: await answer.json() };
  }

  async function post(address: string, bearer: string, body: unknown): Promise<Json> {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  }

  /** A consent that the customer authorised then. */
  async function givenConsent(authenticatedAtMs: number): Promise<GivenConsent> {
    const { Data } = await post(`${url}/account-access-consents`, await bank.mintToken({ clientId }), {
      Data: { Permissions: ['ReadAccountsDetail', 'ReadBalances', 'ReadParty', 'ReadPockets'] },
      Risk: {},
    });
    const consentId = Data.ConsentId as string;
    const report = { customerRef: 'C1', accounts: ['A1'], authenticatedAt: new Date(authenticatedAtMs).toISOString() };
    const authorised = await post(`${bankUrl}/bank/v1/consents/${consentId}/authorise`, bankCredential, report);
    const accountId = authorised.Accounts[0].AccountId as string;
    return { accountId, token: await bank.mintToken({ clientId, consentId }) };
  }

  beforeAll(async () => {
    sources = await CopiedSources.make();
    changed['endpoint'] = await sources.change(addEndpoint);
    changed['field'] = await sources.change(addField);
    changed['error'] = await sources.change(addError);
    changed['product'] = await sources.change(addProduct);
    changed['profile'] = await sources.change(addProfile);
    complaints = sources.complaints();
    const entry = await sources.transpile();

    core = await startSmallCore();
    bank = await startSandboxBank({ port: 0, credential: bankCredential, issuerKeys: await makeIssuerKeys() });
    const [port, bankPort] = [await freePort(), await freePort()];
    const settings = {
      PORT: String(port),
      BANK_PORT: String(bankPort),
      AUTHORISATION_SERVER: 'none',
      PROFILE: 'profile-rehearsed',
      CORE_URL: core.url,
      DATA_DIR: join(sources.root, 'data'),
      TOKEN_ISSUER: bank.issuer,
      TOKEN_AUDIENCE: bank.audience,
      TOKEN_JWKS: bank.jwksUrl,
      BANK_CREDENTIAL: bankCredential,
      ID_KEY: 'test-id-key-0123456789abcdef0123456789',
      ...trailKeys,
    };
    gateway = new RunningGateway(settings, [], [entry]);
    await gateway.ready();
    origin = `http://127.0.0.1:${port}`;
    url = origin + base;
    bankUrl = `http://127.0.0.1:${bankPort}`;
    document = await (await fetch(`${origin}/openapi.json`)).json();
    facts = await (await fetch(`${origin}/.well-known/account-information`)).json();

    ({ token, accountId } = await givenConsent(new SystemClock().nowMs()));
  });
  afterAll(async () => {
    await gateway?.stop();
    core?.close();
    await bank?.close();
    await complaints?.catch(() => undefined);
    await sources?.remove();
  });

  it.each([
    // Twelve, the customers' words in each of two languages, and the two versions.
    ['endpoint', 'Add an endpoint', 12 + 2 + 2],
    ['field', 'Add a field', 4],
    // One of them for each version.
    ['error', 'Add an error', 2 + 2],
    ['product', 'Add a product', 1],
    ['profile', 'Add a profile', 1],
  ] as const)('for a new %s touches exactly the files that CONTRIBUTING.md lists, and few', (...change) => {
    const [kind, section, most, given = names] = change;
    const files = changed[kind] ?? [];
    expect(files).toEqual(listed(section, given));
    expect(ofSource(files).length).toBeGreaterThan(0);
    expect(ofSource(files).length).toBeLessThanOrEqual(most);
  });

  it(
    'compiles',
    async () => {
      expect(await complaints).toBe('');
    },
    compilesWithinMs,
  );

  const operation = (path: string): Json => document.paths[`${base}${path}`]?.get;
  const propertiesOf = (schema: string): string[] => Object.keys(document.components.schemas[schema].properties);

  it('serves and documents the endpoint', async () => {
    const { status, json } = await ask(`/accounts/${accountId}/pockets`);
    expect({ status, pockets: json.Data?.Pocket }).toEqual({
      status: 200,
      pockets: [
        {
          AccountId: accountId,
          PocketId: expect.any(String),
          Name: 'Holidays',
          Amount: { Amount: '12.34', Currency: 'GBP' },
        },
      ],
    });
    expect(operation('/accounts/{AccountId}/pockets').summary).toBe('Pockets');
    expect(propertiesOf('Pocket')).toEqual(['AccountId', 'PocketId', 'Name', 'Amount']);
    expect(facts.Products.CurrentAccount).toContain('pockets');
  });

  it('serves and documents the field', async () => {
    const { json } = await ask('/accounts');
    expect(json.Data.Account).toEqual([expect.objectContaining({ AccountId: accountId, Branch: 'NORTH STREET' })]);
    expect(propertiesOf('Account')).toContain('Branch');
  });

  it('answers with the error and documents its status', async () => {
    const { status, json } = await ask(`/accounts/${accountId}/party`);
    expect({ status, code: json.Code, errors: json.Errors }).toEqual({
      status: 410,
      code: '410 Gone',
      errors: [{ ErrorCode: 'UK.AIG.Resource.Withdrawn', Message: 'Ask while the customer is present.', Url: helpUrl }],
    });
    expect(operation('/accounts/{AccountId}/party').responses).toHaveProperty('410');
  });

  it('publishes and documents the product', () => {
    expect(facts.Products.Mortgage).toEqual(['accounts', 'balances', 'transactions']);
    expect(operation('/accounts/{AccountId}/balances').description).toContain('Products: Mortgage, CurrentAccount, ');
  });

  it('mounts and documents the endpoints of the profile only', async () => {
    expect((await ask(`/accounts/${accountId}/offers`)).status).toBe(404);
    expect(operation('/accounts/{AccountId}/offers')).toBeUndefined();
    expect(facts).toMatchObject({
      Profile: 'profile-rehearsed',
      Products: { CreditCard: expect.not.arrayContaining(['offers']) },
    });
    const profile2 = JSON.parse(readFileSync(join(packageRoot(), 'docs/openapi/profile-2.json'), 'utf8'));
    expect(profile2.paths).toHaveProperty([`${base}/accounts/{AccountId}/offers`]);
  });
});
