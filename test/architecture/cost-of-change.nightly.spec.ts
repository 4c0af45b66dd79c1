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
import { bankCredential, base, minuteMs, type Json } from '../support/stack.js';
import { CopiedSources } from './copied-sources.js';
import { addEndpoint, addError, addField, addProduct, addProfile } from './rehearsed-changes.js';
import { addVersion, rehearsedBase, rehearsedCodes } from './rehearsed-version.js';
import { startSmallCore, type SmallCore } from './small-core.js';
import { trailKeys } from '../support/trail-keys.js';

const contributing = readFileSync(join(packageRoot(), 'CONTRIBUTING.md'), 'utf8');

/** The names that the rehearsals give to the parts that CONTRIBUTING.md leaves open. */
const names = { '<resources>': 'pockets', '<resource>': 'pocket', '<name>': 'rehearsed' };
const namesOfVersion = { '<version>': 'v5.0', '<resources>': 'accounts', '<resource>': 'account' };

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
  readonly consentId: string;
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
  /** In the form of the gateway's links. */
  let published: string;
  let url: string;
  let document: Json;
  let facts: Json;
  let token: string;
  let accountId: string;
  let consentId: string;
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
    return { consentId, accountId, token: await bank.mintToken({ clientId, consentId }) };
  }

  beforeAll(async () => {
    sources = await CopiedSources.make();
    changed['endpoint'] = await sources.change(addEndpoint);
    changed['field'] = await sources.change(addField);
    changed['error'] = await sources.change(addError);
    changed['product'] = await sources.change(addProduct);
    changed['profile'] = await sources.change(addProfile);
    changed['version'] = await sources.change(addVersion);
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
    published = `http://localhost:${port}`;
    url = origin + base;
    bankUrl = `http://127.0.0.1:${bankPort}`;
    document = await (await fetch(`${origin}/openapi.json`)).json();
    facts = await (await fetch(`${origin}/.well-known/account-information`)).json();

    ({ token, accountId, consentId } = await givenConsent(new SystemClock().nowMs()));
  });
  afterAll(async () => {
    await gateway?.stop();
    core?.close();
    await bank?.close();
    await complaints?.catch(() => undefined);
    await sources?.remove();
  });

  it.each([
    // Twelve, the customers' words in each of two languages, and the version.
    ['endpoint', 'Add an endpoint', 12 + 2 + 1],
    ['field', 'Add a field', 4],
    // One of them for each version.
    ['error', 'Add an error', 2 + 1],
    ['product', 'Add a product', 1],
    ['profile', 'Add a profile', 1],
    // Six that hold the differences, and the list of the versions.
    ['version', 'Add an API version', 6 + 1, namesOfVersion],
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

  describe('serves the version next to v3.1,', () => {
    const next = (path: string, bearer?: string) => ask(path, rehearsedBase, bearer);
    const documentOf = async (name: string): Promise<Json> => (await fetch(`${origin}/${name}.json`)).json();

    it('with its names of members and codes, and the same ids', async () => {
      const [before, after] = [await ask('/accounts'), await next('/accounts')];
      const { AccountType, AccountSubType, ...same } = before.json.Data.Account[0];
      expect([AccountType, AccountSubType]).toEqual(['Personal', 'CurrentAccount']);
      expect(after.json).toEqual({
        Data: { Account: [{ ...same, AccountCategory: 'Personal', AccountTypeCode: 'CACC' }] },
        Links: { Self: `${published}${rehearsedBase}/accounts` },
        Meta: {},
      });
      expect((await next(`/accounts/${accountId}`)).json.Data).toEqual(after.json.Data);
      const pockets = `/accounts/${accountId}/pockets`;
      expect((await next(pockets)).json.Data).toEqual((await ask(pockets)).json.Data);
    });

    it('and shows a consent in its words, and the end of another consent as well', async () => {
      const bearer = await bank.mintToken({ clientId });
      const told = async (path: string) => [(await ask(path, base, bearer)).json, (await next(path, bearer)).json];
      const [before, after] = await told(`/account-access-consents/${consentId}`);
      expect([before.Data.Status, after.Data.Status]).toEqual(['Authorised', 'GIVN']);
      expect(after.Links.Self).toBe(`${published}${rehearsedBase}/account-access-consents/${consentId}`);
      const ended = await givenConsent(new SystemClock().nowMs());
      await post(`${bankUrl}/bank/v1/consents/${ended.consentId}/revoke`, bankCredential, {});
      const [revoked, taken] = await told(`/account-access-consents/${ended.consentId}`);
      expect([revoked.Data.Status, taken.Data.Status]).toEqual(['Revoked', 'TAKN']);
    });

    it('and reads the request for a consent by its names of members, and answers with them', async () => {
      const create = async (basePath: string, dates: object): Promise<Json> => {
        const answer = await fetch(`${origin}${basePath}/account-access-consents`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${await bank.mintToken({ clientId })}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ Data: { Permissions: ['ReadAccountsBasic'], ...dates }, Risk: {} }),
        });
        return answer.json();
      };
      const pathsOf = ({ Errors }: Json): string[] => Errors.map(({ Path }: Json) => Path);
      const [text, past] = ['2099-05-02T00:00:00+02:00', '2001-05-02T00:00:00+02:00'];
      const { Data } = await create(rehearsedBase, { ValidUntil: text });
      expect(Data).toMatchObject({ Status: 'WAIT', ValidUntil: text });
      expect(Data).not.toHaveProperty('ExpirationDateTime');
      const bearer = await bank.mintToken({ clientId });
      const { json } = await ask(`/account-access-consents/${Data.ConsentId}`, base, bearer);
      expect(json.Data).toMatchObject({ Status: 'AwaitingAuthorisation', ExpirationDateTime: text });
      expect(pathsOf(await create(rehearsedBase, { ExpirationDateTime: text }))).toEqual(['Data.ExpirationDateTime']);
      expect(pathsOf(await create(base, { ValidUntil: text }))).toEqual(['Data.ValidUntil']);
      const refused = await create(rehearsedBase, { Permissions: [], ValidUntil: past, TransactionFromDateTime: text });
      expect(pathsOf(refused)).toEqual(['Data.Permissions', 'Data.ValidUntil', 'Data.TransactionFromDateTime']);
    });

    it('and answers with its error codes below its path only', async () => {
      const codeOf = async (answer: Promise<{ json: Json }>): Promise<string> =>
        (await answer).json.Errors[0].ErrorCode;
      const missing = `/accounts/${accountId}/transactions`;
      expect(await codeOf(ask(missing))).toBe('UK.AIG.Consent.PermissionMissing');
      expect(await codeOf(next(missing))).toBe(rehearsedCodes['permission-missing']);
      expect(await codeOf(next('/unknown'))).toBe(rehearsedCodes['path-unknown']);
      expect(await codeOf(ask('/unknown', ''))).toBe('UK.AIG.Path.Unknown');
      const posted = await fetch(`${origin}${rehearsedBase}/accounts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      const refused: Json = await posted.json();
      expect([posted.status, refused.Errors[0].ErrorCode]).toEqual([405, rehearsedCodes['method-not-allowed']]);
    });

    it('and does not serve an endpoint for which it has no form', async () => {
      const answer = await next(`/accounts/${accountId}/beneficiaries`);
      expect([answer.status, answer.json.Errors[0].ErrorCode]).toEqual([404, rehearsedCodes['path-unknown']]);
      expect(answer.json.Message).toContain('listed in /openapi-v5.0.json.');
      expect((await ask('/unknown')).json.Message).toContain('listed in /openapi.json.');
    });

    it('and counts the reads without the customer in both together', async () => {
      const earlier = await givenConsent(new SystemClock().nowMs() - 10 * minuteMs);
      const read = async (basePath: string): Promise<number> =>
        (await ask(`/accounts/${earlier.accountId}`, basePath, earlier.token)).status;
      expect([await read(base), await read(rehearsedBase), await read(base)]).toEqual([200, 200, 200]);
      expect([await read(rehearsedBase), await read(base)]).toEqual([429, 429]);
    });

    it('and measures the requests of both under one name', async () => {
      for (const basePath of [base, rehearsedBase]) expect((await ask('/accounts', basePath)).status).toBe(200);
      const counted = async (): Promise<string[]> =>
        (await (await fetch(`${bankUrl}/metrics`)).text())
          .split('\n')
          .filter((line) => /^gateway_request_duration_seconds_count.*accounts".*GET.*"200"/.test(line));
      expect(await counted()).toEqual(
        ['v3.1', 'v5.0'].map((version) =>
          expect.stringContaining(`{endpoint="accounts",version="${version}",method="GET",status="200"}`),
        ),
      );
    });

    it('and documents each version by itself', async () => {
      const [before, after] = [await documentOf('openapi'), await documentOf('openapi-v5.0')];
      expect([before.info.version, after.info.version]).toEqual(['3.1.11', '5.0.2']);
      const beneficiaries = '/accounts/{AccountId}/beneficiaries';
      const below = (path: string, told: Json): string[] =>
        Object.keys(told.paths).map((each) =>
          each.startsWith(`${path}/`) ? each.slice(path.length) : `other: ${each}`,
        );
      expect(below(base, before)).toContain(beneficiaries);
      expect(below(rehearsedBase, after)).toEqual(below(base, before).filter((path) => path !== beneficiaries));
      const ids = ({ paths }: { paths: Record<string, Record<string, Json>> }): string[] =>
        Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
      expect(ids(before)).toEqual(expect.arrayContaining(ids(after)));
      const membersOf = (told: Json): string[] => Object.keys(told.components.schemas.Account.properties);
      expect([membersOf(before), membersOf(after)]).toEqual([
        expect.arrayContaining(['AccountType', 'AccountSubType']),
        expect.arrayContaining(['AccountCategory', 'AccountTypeCode']),
      ]);
      expect(JSON.stringify(after)).not.toMatch(
        /UK\.OBIE\.Field|open-banking\/v3|AccountSubType|AwaitingAuthorisation|ExpirationDateTime/,
      );
      expect(JSON.stringify(before)).not.toMatch(/E0\d\d"|account-data|AccountCategory|GIVN|ValidUntil/);
    });

    it('and explains the error codes of both, and lists both documents for the reader', async () => {
      const errors = await (await fetch(`${origin}/docs/errors`)).text();
      expect(errors).toContain(
        `<code>UK.OBIE.Field.Invalid</code> (v3.1), <code>${rehearsedCodes['field-invalid']}</code> (v5.0)`,
      );
      const page = await (await fetch(`${origin}/docs/static/swagger-initializer.js`)).text();
      expect(page).toContain('"/openapi-v5.0.json"');
    });
  });
});
