import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiVersion } from '../../src/endpoint/api-version.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { v4_0 } from '../../src/versions/v4.0/v4.0.js';
import { versions } from '../../src/versions/versions.js';
import { AsksForFunds, debtorOf } from '../funds/asks-for-funds.js';
import { allPermissions, Stack } from '../support/stack.js';
import { type Manifest, type Outcome, readManifest, runManifest } from './manifest.js';

const folder = process.env['OBIE_MANIFESTS'];
const files =
  folder === undefined ? [] : readdirSync(folder).filter((file) => /(accounts_transactions|cbpii)_/.test(file));

/** The end of the ids of a script that says of the optional `/transactions` that every bank must serve it. */
const wrongScript = '-TRA-105600';

const here = (name: string): string => join(import.meta.dirname, 'manifests', name);

describe('the functional-conformance manifests', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.close());

  async function run(manifest: Manifest, { basePath }: ApiVersion): Promise<readonly Outcome[]> {
    const all = allPermissions(stack.config.profile);
    const { accountId } = await stack.consent({ persona: 'complete' });
    const tokens = new Map<string, Promise<{ token: string }>>();
    const context = { consentedAccountId: accountId('CurrentAccount'), client_access_token: await stack.clientToken() };
    return runManifest(manifest, context, {
      token: async (excluded) => {
        const permissions = all.filter((code) => !excluded.includes(code));
        const key = permissions.join();
        tokens.set(key, tokens.get(key) ?? stack.consent({ persona: 'complete', permissions }));
        return (await tokens.get(key))?.token ?? '';
      },
      approve: () =>
        Promise.reject(new Error('a manifest of account information has a consent for confirmation of funds')),
      ask: (path, request) => stack.ask(`${basePath}${path}`, request),
    });
  }

  async function runFunds(manifest: Manifest, version: ApiVersion): Promise<readonly Outcome[]> {
    const tpp = new AsksForFunds(stack, version);
    const { DebtorAccount } = debtorOf(stack, 'joint');
    const context = {
      today: new Date(stack.clock.nowMs()).toISOString(),
      funds_client_access_token: await tpp.clientToken(),
      cbpiiDebtorAccountSchemeName: DebtorAccount.SchemeName,
      cbpiiDebtorAccountIdentification: DebtorAccount.Identification,
      cbpiiDebtorAccountName: DebtorAccount.Name,
      instructedAmountValue: '1.00',
      instructedAmountCurrency: 'GBP',
    };
    return runManifest(manifest, context, {
      token: () => Promise.reject(new Error('a script for confirmation of funds names permissions')),
      approve: (consentId) => tpp.approved(consentId, 'joint'),
      ask: (path, request) => stack.ask(`${version.fundsPath}${path}`, request),
    });
  }

  it.each([...versions])('run on $name: a small one passes, and names each failure', async (version) => {
    const outcomes = await run(readManifest(here('small.json'), here('assertions.json')), version);
    expect(outcomes).toEqual([
      { id: 'unknown-path', outcome: 'passed', faults: [] },
      { id: 'one-account', outcome: 'passed', faults: [] },
      { id: 'no-token', outcome: 'passed', faults: [] },
      { id: 'permission-excluded', outcome: 'passed', faults: [] },
      { id: 'create-consent', outcome: 'passed', faults: [] },
      { id: 'read-consent', outcome: 'passed', faults: [] },
      { id: 'bulk', outcome: 'not served', faults: ['expected 200, found 404'] },
      { id: 'wrong-status', outcome: 'failed', faults: ['expected 401, found 200'] },
      {
        id: 'wrong-alternatives',
        outcome: 'warning',
        faults: ['expected 401, found 200', 'expected no Data.Account', 'the assertion Unknown is in no file'],
      },
    ]);
  });

  it.each([
    { ...v3_1, version: v3_1, words: { awaiting: 'AwaitingAuthorisation', authorised: 'Authorised' } },
    { ...v4_0, version: v4_0, words: { awaiting: 'AWAU', authorised: 'AUTH' } },
  ])(
    'run on $name: a small one for confirmation of funds passes, but for a deleted consent',
    async ({ version, words }) => {
      const manifest = readManifest(here('funds.json'), here('assertions.json'), here('bodies.json'));
      const scripts = manifest.scripts.map((script) => ({ ...script, parameters: { ...script.parameters, ...words } }));
      const outcomes = await runFunds({ ...manifest, scripts }, version);
      expect(outcomes).toEqual([
        ...scripts.slice(0, -1).map(({ id }) => ({ id, outcome: 'passed', faults: [] })),
        { id: 'deleted', outcome: 'failed', faults: ['expected 200, found 400'] },
      ]);
    },
  );

  const official = files.length === 0 ? it.skip : it;
  official.each(files.length === 0 ? ['SKIPPED, because OBIE_MANIFESTS does not name their folder'] : files)(
    'of the standard pass: %s',
    async (file) => {
      const version = versions.find(({ name }) => file.includes(`_${name.slice(1)}_`)) as ApiVersion;
      const [manifest = '', ...references] = [file, 'assertions.json', 'data.json'].map((name) =>
        join(folder ?? '', name),
      );
      const runs = file.includes('cbpii') ? runFunds : run;
      const outcomes = await runs(readManifest(manifest, ...references.filter(existsSync)), version);
      expect(outcomes.filter(({ id, outcome }) => outcome === 'failed' && !id.endsWith(wrongScript))).toEqual([]);
    },
  );
});
