// Nightly: it types the commands of a page, which takes minutes.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signOnClauses } from '../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { ownRepository, writeHttpSignOn } from '../adapter-tools/own-repository.js';
import { runNode } from '../adapter-tools/temporary-tree.js';
import { BankProvider } from '../authorisation/bank-provider.js';
import { Browser, text } from '../authorisation/browser.js';
import { offeredKeys } from '../authorisation/setting.js';
import { patienceMs } from './gateway-process.js';
import { SandboxStack } from './sandbox-stack.js';

const walk = readFileSync(join(packageRoot(), 'docs/bank/walks/sign-on.md'), 'utf8');
const longMs = 5 * patienceMs;

/** The settings that the walk exports, with values that hold here. */
function exported(values: Readonly<Record<string, string>>): Record<string, string> {
  const set = [...walk.matchAll(/^export (.+)$/gm)].flatMap(([, words = '']) => words.split(' '));
  const pairs = set.map((pair) => pair.split('=') as [string, string]);
  return { ...Object.fromEntries(pairs), ...values };
}

describe('docs/bank/walks/sign-on.md', () => {
  it('has the commands that are tried, here and in test/adapter-tools/sign-on-guide.nightly.spec.ts', () => {
    const commands = [...walk.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'));
    expect(commands.map((line) => line.replace(/^npm run --silent adapter -- /, ''))).toEqual([
      'export CUSTOMER_AUTHENTICATION=oidc CUSTOMER_AUTHENTICATION_URL=https://login.bank.example',
      'export CUSTOMER_AUTHENTICATION_CLIENT_ID=account-information CUSTOMER_AUTHENTICATION_CREDENTIAL=the-client-secret',
      'export CUSTOMER_AUTHENTICATION_ACR=urn:openbanking:psd2:sca',
      'npm start',
      'new-sign-on my-sign-on',
      'check my-sign-on',
      'new-sign-on my-sign-on --into ../my-sign-on',
      'cd ../my-sign-on && npm install && npm run check',
      'export CUSTOMER_AUTHENTICATION=$(realpath ../my-sign-on)/dist/my-sign-on.adapter.js',
    ]);
  });

  it(
    'brings a customer of an OpenID provider to the accounts on the TPP’s page',
    async () => {
      const person = { customerRef: 'C1003', displayName: 'A customer with cards' };
      const provider = await BankProvider.at([person]);
      const { CUSTOMER_AUTHENTICATION: _, ...settings } = exported({
        CUSTOMER_AUTHENTICATION_URL: provider.issuer,
        CUSTOMER_AUTHENTICATION_CLIENT_ID: 'account-information-gateway',
        CUSTOMER_AUTHENTICATION_CREDENTIAL: 'b6a1f0c4d29e4857a3c1f0b7e8d2946c',
      });
      const stack = await SandboxStack.start({ ...settings, CUSTOMER_AUTHENTICATION: 'oidc' });
      expect(stack.output).toMatch(/^ {2}C1003 +Chloë Dubois$/m);
      expect(stack.output).toContain(`They sign in at ${provider.issuer}:`);
      expect(stack.output).not.toMatch(/sandbox-cards|One-time codes/);
      const bank = `http://localhost:${stack.ports.BROWSER_PORT}`;
      const tpp = `http://localhost:${stack.ports.TPP_PORT}`;
      const browser = new Browser(bank, '');
      browser.follows = ({ origin }) => [bank, tpp, provider.issuer].includes(origin);
      try {
        await provider.open(`${bank}/as/sign-on/return`, {
          client_secret: settings.CUSTOMER_AUTHENTICATION_CREDENTIAL ?? '',
        });
        const welcome = await browser.open(new URL(tpp));
        // The TPP takes posts from its own page only.
        browser.headers = { origin: tpp };
        const asked = await browser.submit(welcome, { api: 'v4.0' }, '/connect');
        browser.headers = {};
        const atBank = await browser.submit(asked, {});
        const choice = await browser.submit(atBank, { customer: person.customerRef });
        const end = await browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
        expect([end.url.origin, end.html.match(/<h2/g)?.length ?? 0]).toEqual([tpp, offeredKeys(choice).length]);
        expect(text(end.html)).toContain('Classic Card');
      } finally {
        await browser.close();
        await stack.close();
        await provider.stop();
      }
    },
    longMs,
  );

  describe('for an adapter in a separate repository', () => {
    let parent: string;
    const folder = () => join(parent, 'my-sign-on');
    const compile = () => runNode(folder(), [join(packageRoot(), 'node_modules/typescript/bin/tsc')]);
    beforeAll(async () => {
      parent = await mkdtemp(join(tmpdir(), 'own-sign-on-'));
    });
    afterAll(() => rm(parent, { recursive: true }));

    it(
      'writes one that compiles and is checked clause by clause',
      async () => {
        expect(await ownRepository('my-sign-on', folder(), 'new-sign-on')).toContain('npm install && npm run check');
        expect(await compile()).toEqual({ code: 0, said: '' });
        const { code, said } = await runNode(folder(), ['dist/check.js']);
        expect([code, said.match(/^[✓✗] SIGN-\d\d/gm)?.length]).toEqual([1, signOnClauses.length]);
        expect(said).toContain('✓ SIGN-01');
      },
      longMs,
    );

    it(
      'keeps every clause once it is written',
      async () => {
        await writeHttpSignOn(folder(), 'my-sign-on');
        expect(await compile()).toEqual({ code: 0, said: '' });
        const checked = await runNode(folder(), ['dist/check.js']);
        expect([checked.code, checked.said.match(/^[✓–] SIGN-\d\d/gm)?.length]).toEqual([0, signOnClauses.length]);
      },
      longMs,
    );

    it(
      'has a gateway load it by its path, and a customer signs in by it',
      async () => {
        const CUSTOMER_AUTHENTICATION = join(folder(), 'dist/my-sign-on.adapter.js');
        const stack = await SandboxStack.start({ CUSTOMER_AUTHENTICATION });
        try {
          const words = ['dist/sandbox/cli/main.js', 'journey', '--persona', 'saver', '--json'];
          const { code, said } = await runNode(packageRoot(), words, { DATA_DIR: stack.dataDir });
          expect([code, said]).toEqual([0, expect.stringContaining('"step":"access ended"')]);
        } finally {
          await stack.close();
        }
      },
      longMs,
    );
  });
});
