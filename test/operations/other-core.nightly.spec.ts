// Nightly: it starts a stack for each of several cores, which takes minutes.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { SystemClock } from '../../src/clock/clock.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { runNode } from '../adapter-tools/temporary-tree.js';
import { FineractStub } from '../cores/fineract/fineract-stub.js';
import { smallBank, smallBankVariables } from '../cores/fineract/small-bank.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { codeFor } from '../support/inbox.js';
import { screenshot } from '../support/screenshot.js';
import { patienceMs, startBank } from './gateway-process.js';
import { SandboxStack } from './sandbox-stack.js';

const present = hasChromium('the pages over another core are');
const longMs = 5 * patienceMs;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'other-core-'));
}, longMs);
afterAll(() => rm(folder, { recursive: true }));

/** The ledger's adapter as a bank's own build makes it: one file outside of the project, with the port in it. */
async function outsideAdapter(): Promise<string> {
  const input = join(folder, 'my-core.adapter.ts');
  const [adapter, port] = [
    'src/core-banking/adapters/ledger/ledger.adapter.ts',
    'packages/core-adapter/port-version.ts',
  ];
  const exported = [
    `{ createAdapter } from '${join(packageRoot(), adapter)}'`,
    `{ portVersion } from '${join(packageRoot(), port)}'`,
  ];
  await writeFile(input, exported.map((one) => `export ${one};\n`).join(''));
  const file = join(folder, 'my-core.adapter.mjs');
  const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent' });
  await bundle.write({ file });
  return file;
}

async function outsideCore() {
  const bank = await startBank();
  const settings = { CORE: await outsideAdapter(), CORE_URL: bank.coreUrl };
  let closed: Promise<void> | undefined;
  return { settings, close: () => (closed ??= bank.close()) };
}

/** Two cores that both have the same customers, and the same references of accounts. */
async function twoCores() {
  const banks = [await startBank(), await startBank()] as const;
  const adapter = await outsideAdapter();
  const settings: Record<string, string> = {
    CORES: 'north,south',
    CORE_NORTH_URL: banks[0].coreUrl,
    CORE_NORTH_ADAPTER: adapter,
    CORE_SOUTH_URL: banks[1].coreUrl,
    CORE_SOUTH_ADAPTER: adapter,
  };
  let closed: Promise<unknown> | undefined;
  return { settings, close: () => (closed ??= Promise.all(banks.map((bank) => bank.close()))) };
}

async function fineract() {
  const stub = await FineractStub.start({ model: smallBank(), clock: new SystemClock() });
  const settings = { CORE: 'fineract', CORE_URL: stub.url, PROFILE: 'profile-fineract', ...smallBankVariables };
  return { settings, close: () => stub.close() };
}

const [, guide = ''] =
  /^## See your own accounts$(.+?)^## /ms.exec(
    readFileSync(join(packageRoot(), 'docs/bank/adding-a-core.md'), 'utf8'),
  ) ?? [];

/** The words of the guide's command, for another customer than the guide's. */
function guided(command: string, customer: string): string[] {
  const [, words = ''] = new RegExp(`^npm run --silent sandbox -- (${command} .+)$`, 'm').exec(guide) ?? [];
  return words.replace('1001', customer).split(' ');
}

/** A command of the sandbox, which finds the stack by its folder alone. */
const sandbox = (stack: SandboxStack, ...words: string[]) =>
  runNode(packageRoot(), ['dist/sandbox/cli/main.js', ...words], { DATA_DIR: stack.dataDir });

describe.each([
  {
    title: 'an adapter outside of the repository',
    start: outsideCore,
    customers: ['C1004', 'C1002'],
    accounts: 2,
    width: 1280,
  },
  { title: 'two cores', start: twoCores, customers: ['C1004', 'C1002'], accounts: 4, width: 390 },
  { title: 'Fineract', start: fineract, customers: ['7', '8'], accounts: 2, width: 1280 },
])('the whole stack in front of $title', ({ title, start, customers: [first = '', second = ''], accounts, width }) => {
  let core: Awaited<ReturnType<typeof start>>;
  let stack: SandboxStack;
  let browser: Browser | undefined;
  beforeAll(async () => {
    core = await start();
    stack = await SandboxStack.start({ ...core.settings, SANDBOX_CUSTOMERS: `${first},${second}` });
    if (present) browser = await launchChromium();
  }, longMs);
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
    await core?.close();
  }, longMs);
  const onPage = present ? it : it.skip;

  async function opened(url: string): Promise<Page> {
    const page = await (browser as Browser).newPage({ viewport: { width, height: 900 } });
    page.setDefaultTimeout(patienceMs);
    await page.goto(url);
    return page;
  }
  const accountsBy = async (token: string): Promise<unknown[]> => {
    const answer = await fetch(`http://127.0.0.1:${stack.ports.PORT}${v3_1.basePath}/accounts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { Data: { Account: unknown[] } }).Data.Account;
  };

  it('greets with the customers, and with a curl that returns the accounts of the first', async () => {
    for (const customer of [first, second])
      expect(stack.output).toMatch(new RegExp(`^  ${customer} +sandbox-${customer}$`, 'm'));
    expect(stack.output).toContain(`sandbox -- consent --customer ${first}\n`);
    const [, token = ''] = /^ +curl .*Bearer (\S+?)' \S+\/accounts$/m.exec(stack.output) ?? [];
    expect((await accountsBy(token)).length).toBe(accounts);
  });

  it('gives a consent of each customer on the command line', async () => {
    for (const customer of [first, second]) {
      const { code, said } = await sandbox(stack, ...guided('consent', customer));
      expect([code, said]).toEqual([0, expect.stringContaining('AccessToken')]);
      const { AccessToken, Accounts } = JSON.parse(said) as { AccessToken: string; Accounts: unknown[] };
      expect(Accounts.length).toBeGreaterThan(0);
      expect((await accountsBy(AccessToken)).length).toBeGreaterThan(0);
    }
  });

  it('takes a journey through the bank’s pages', async () => {
    const { code, said } = await sandbox(stack, ...guided('journey', first), '--json');
    expect([code, said]).toEqual([0, expect.stringContaining('"step":"access ended"')]);
    expect((JSON.parse(said) as { Accounts: unknown[] }).Accounts.length).toBe(accounts);
  });

  it.each([
    ['consent --customer stranger', `there is no customer stranger: it is one of ${first}, ${second}`],
    ['account 1 --state valid', 'the sandbox changes its own core only: make this change at the core itself'],
    ['core --fault down', 'the sandbox changes its own core only: make this change at the core itself'],
  ])('refuses in one line: %s', async (line, reason) => {
    const { code, said } = await sandbox(stack, ...line.split(' '));
    expect([code, said]).toEqual([1, expect.stringMatching(/^sandbox: .+\n$/)]);
    expect(said).toContain(reason);
  });

  onPage(
    'shows the first customer’s accounts on the TPP’s page, from the sign-in to the transactions',
    async () => {
      const page = await opened(`http://localhost:${stack.ports.TPP_PORT}`);
      expect(await page.locator('main').innerText()).toContain(
        `sign in as ${first} with the password sandbox-${first}`,
      );
      await screenshot(page, `other-core-${first}-tpp-welcome-${width}`);
      await page.getByRole('button', { name: 'Connect to the bank' }).click();
      await page.getByLabel(/user ?name|login|customer number/i).fill(first);
      await page.getByLabel(/password/i).fill(`sandbox-${first}`);
      await page.locator('form button.main').click();
      const code = await codeFor(first, `http://127.0.0.1:${stack.ports.SANDBOX_PORT}/inbox`);
      await page.locator('input[name=code]').fill(code);
      await page.locator('form button.main').click();
      await screenshot(page, `other-core-${first}-approve-${width}`);
      for (const box of await page.locator('input[name=account]').all()) await box.check();
      await page.getByRole('button', { name: /^approve/i }).click();
      await page.waitForURL(`http://localhost:${stack.ports.TPP_PORT}/`);
      expect(await page.locator('main h2').count()).toBe(accounts);
      await screenshot(page, `other-core-${first}-tpp-accounts-${width}`);
      await page.locator('main h2 a').first().click();
      expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toBe('Last 90 days');
      await page.context().close();
    },
    longMs,
  );

  onPage(
    'lists the customers in the console, where one click signs them in, and offers no change of the core',
    async () => {
      const page = await opened(stack.consoleUrl);
      for (const details of await page.locator('#people details').all()) await details.locator('summary').click();
      await screenshot(page, `other-core-${first}-console-${width}`);
      expect(await page.locator('#people h3').allTextContents()).toEqual([first, second]);
      expect(await page.getByRole('button', { name: /^(Block|Unblock) account/ }).count()).toBe(0);
      expect(await page.locator('#core').innerText()).toContain(
        'make it fail, change balances and block accounts at the core',
      );
      expect(await page.locator('#core form').count()).toBe(0);
      await page.locator('.stories summary').first().click();
      expect(await page.locator('.stories > li').first().innerText()).not.toContain('The core was asked');
      const [scroll, client] = await page.evaluate<number[]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      expect(scroll).toBe(client);
      await page.getByRole('button', { name: `Sign in as ${second}` }).click();
      await page.waitForURL(`http://localhost:${stack.ports.BROWSER_PORT}/as/dashboard`);
      expect(await page.getByText(second).count()).toBeGreaterThan(0);
      await page.context().close();
    },
    longMs,
  );

  it(`says in one line that ${title} does not answer any more, and goes on`, async () => {
    await core.close();
    const { code, said } = await sandbox(stack, 'consent', '--customer', first);
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^sandbox: the accounts of customer \S+ cannot be listed: .+\n$/),
    ]);
    const page = await (await fetch(stack.consoleUrl)).text();
    expect(page).toContain(`the accounts of customer ${second} cannot be listed: `);
  });
});

describe('the whole stack in front of two cores', () => {
  it(
    'signs a customer in at both, under the reference of each',
    async () => {
      const [ledger, cards] = await Promise.all([startBank(), startBank()]);
      const stack = await SandboxStack.start({
        CORES: 'ledger,cards',
        CORE_LEDGER_URL: ledger.coreUrl,
        CORE_CARDS_URL: cards.coreUrl,
        CORE_CARDS_ADAPTER: 'ledger',
        SANDBOX_CUSTOMERS: 'C1003 cards=C1001,C1002',
      });
      const held = (bank: SandboxBank, key: string): number =>
        bank.personas.find(({ person }) => person.key === key)?.accounts.length ?? 0;
      try {
        expect(stack.output).toContain('sandbox -- consent --customer C1003\n');
        const { code, said } = await sandbox(stack, 'journey', '--customer', 'C1003', '--json');
        expect([code, said]).toEqual([0, expect.stringContaining('"step":"access ended"')]);
        expect((JSON.parse(said) as { Accounts: unknown[] }).Accounts.length).toBe(
          held(ledger, 'C1003') + held(cards, 'C1001'),
        );
        const given = await sandbox(stack, 'consent', '--customer', 'C1003');
        expect([given.code, given.said.match(/"ref"/g)?.length]).toEqual([
          0,
          held(ledger, 'C1003') + held(cards, 'C1001'),
        ]);
      } finally {
        await stack.close();
        await Promise.all([ledger.close(), cards.close()]);
      }
    },
    longMs,
  );
});

describe('another core that cannot serve', () => {
  it(
    'and does not know the first customer has the greeting say so, and the stack goes on',
    async () => {
      const core = await outsideCore();
      const stack = await SandboxStack.start({ ...core.settings, SANDBOX_CUSTOMERS: 'stranger,C1004' });
      try {
        expect(stack.output).toContain(
          '\nNo consent was given just now: the core "ledger" lists no accounts of customer stranger.\n',
        );
        expect((await sandbox(stack, 'consent', '--customer', 'C1004')).code).toBe(0);
      } finally {
        await stack.close();
        await core.close();
      }
    },
    longMs,
  );

  it(
    'because nothing answers there has the start end with one line',
    async () => {
      const core = await outsideCore();
      await core.close();
      const fault: unknown = await SandboxStack.start({ ...core.settings, SANDBOX_CUSTOMERS: 'C1004' }).catch(
        (error: unknown) => error,
      );
      expect(fault).toBeInstanceOf(Error);
      const lines = (fault as Error).message.trim().split('\n');
      expect(lines.at(-1)).toBe(
        `gateway: the core "ledger" does not answer at ${core.settings.CORE_URL} (the connection is refused): start it, or set CORE_URL`,
      );
      expect(lines.filter((line) => /^\s+at /.test(line))).toEqual([]);
    },
    longMs,
  );
});
