import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiVersion } from '../../src/endpoint/api-version.js';
import { versions } from '../../src/versions/versions.js';
import { allPermissions, Stack } from '../support/stack.js';
import { type Manifest, type Outcome, readManifest, runManifest } from './manifest.js';

const folder = process.env['OBIE_MANIFESTS'];
const files = folder === undefined ? [] : readdirSync(folder).filter((file) => /accounts_transactions/.test(file));

/** The end of the ids of a script that says of the optional `/transactions` that every bank must serve it. */
const wrongScript = '-TRA-105600';

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
      ask: (path, request) => stack.ask(`${basePath}${path}`, request),
    });
  }

  it.each([...versions])('run on $name: a small one passes, and names each failure', async (version) => {
    const here = (name: string): string => join(import.meta.dirname, 'manifests', name);
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

  const official = files.length === 0 ? it.skip : it;
  official.each(files.length === 0 ? ['SKIPPED, because OBIE_MANIFESTS does not name their folder'] : files)(
    'of the standard pass: %s',
    async (file) => {
      const version = versions.find(({ name }) => file.includes(`_${name.slice(1)}_`)) as ApiVersion;
      const [manifest, assertions] = [join(folder ?? '', file), join(folder ?? '', 'assertions.json')];
      const outcomes = await run(readManifest(manifest, assertions), version);
      expect(outcomes.filter(({ id, outcome }) => outcome === 'failed' && !id.endsWith(wrongScript))).toEqual([]);
    },
  );
});
