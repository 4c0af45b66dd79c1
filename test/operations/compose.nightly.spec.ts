import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { packageRoot } from '../../src/persistence/package-root.js';
import { readOperatorAddress } from '../../src/config/bank-address.js';
import { loadConfig } from '../../src/config/load-config.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { codeFor } from '../support/inbox.js';
import { realNowMs } from '../support/real-time.js';
import { until } from '../support/until.js';
import { hasDockerCompose } from './compose-file.js';
import { typeLine } from './compose-line.js';
import { Containers } from './containers.js';
import { patienceMs } from './gateway-process.js';

const print = (line: string): void => void process.stderr.write(`${line}\n`);
if (!hasDockerCompose) print('docker-compose 1 is absent: docker-compose.yml is NOT run');
const present = hasChromium('the profile embedded is');

const read = (name: string): string => readFileSync(join(packageRoot(), name), 'utf8');
const runbook = read('docs/operate/runbook.md');
const documents = [
  'README.md',
  'docker-compose.yml',
  ...readdirSync(join(packageRoot(), 'docs'), { encoding: 'utf8', recursive: true }).map((name) => `docs/${name}`),
];
/** The command lines of docker compose that a reader is told to type. */
const documented = new Set(
  documents
    .filter((name) => /\.(md|yml)$/.test(name))
    .flatMap((name) => [...read(name).matchAll(/(?:^[# ]*|`)(docker compose (?:-|up|run|exec|start|stop)[^`\n]*)/gm)])
    .map(([, line = '']) => line),
);

(hasDockerCompose ? describe : describe.skip)('docker-compose.yml', () => {
  const typed = new Set<string>();
  let containers: Containers;

  /** Types a documented line, with other words in the place of its placeholders, in a shell with these variables. */
  async function type(
    line: string,
    places: Readonly<Record<string, string>> = {},
    variables: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    expect([...documented]).toContain(line);
    typed.add(line);
    const words = line
      .replace(/ \|.*$/, '')
      .split(' ')
      .slice(2);
    const { code, said } = await typeLine(
      containers,
      words.map((word) => places[word] ?? word),
      variables,
    );
    expect([line, code, code === 0 ? '' : said]).toEqual([line, 0, '']);
    return said;
  }

  /** Runs the line of the runbook that begins so, in the folder of `.env`, on the ports of this machine. */
  async function shell(begin: string, ports: Readonly<Record<string, number>> = {}): Promise<string> {
    const line = runbook.split('\n').find((one) => one.startsWith(begin)) ?? '';
    const settings = Object.entries(ports).map(async ([name, port]) => [name, String(await atHome(port))] as const);
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-ec', line.replace('npm run', `npm --prefix ${packageRoot()} run`)],
      {
        cwd: containers.folder,
        env: {
          PATH: process.env['PATH'],
          HOME: process.env['HOME'],
          ...Object.fromEntries(await Promise.all(settings)),
        },
      },
    );
    return stdout;
  }

  const atHome = (published: number): Promise<number> => containers.addresses.published(published);

  beforeAll(async () => {
    containers = new Containers();
    await shell('while IFS= read');
    // No balancer has to notice a stop.
    appendFileSync(join(containers.folder, '.env'), 'STOP_DELAY_SECONDS=0\n');
    await type('docker compose up --build');
    // Its first read of a gateway comes after up to 15 seconds.
    await type('docker compose --profile observability up');
  }, 5 * patienceMs);
  afterAll(() => containers?.remove());

  it('gives each gateway settings that it accepts with the hosts of the other containers, and the tools an address', () => {
    const gateways = containers.services.filter(({ target }) => target === 'gateway');
    expect(gateways.length).toBeGreaterThan(3);
    for (const { environment } of gateways) loadConfig(environment);
    const { environment } = containers.services.find(({ name }) => name === 'ops') ?? {};
    expect(readOperatorAddress(environment).origin).toBe('http://gateway-profile-2:3001');
  });

  let refusedId = '';

  it('without a profile lets a person read the accounts of a customer', async () => {
    const ports = { PORT: 3000, BANK_PORT: 3001, SANDBOX_PORT: 3002 };
    const given = JSON.parse(await shell('BANK_CREDENTIAL=', ports)) as { AccessToken: string; BaseUrl: string };
    expect(given.BaseUrl).toBe(`http://localhost:${await atHome(3000)}`);
    const ask = (token: string) =>
      fetch(`${given.BaseUrl}${v3_1.basePath}/accounts`, { headers: { authorization: `Bearer ${token}` } });
    const answer = await ask(given.AccessToken);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Everyday Current Account')]);
    const refused = await ask('none');
    expect(refused.status).toBe(401);
    refusedId = refused.headers.get('x-fapi-interaction-id') ?? '';
  });

  it('lets an operator ask the gateway, its trail and its database', async () => {
    expect(await type('docker compose run --rm ops status')).toMatch(/^Safe to restart now: yes$/m);
    expect(await type('docker compose run --rm ops trail why ID', { ID: refusedId })).toContain(
      'The gateway answered 401',
    );
    expect(await type('docker compose run --rm ops trail verify')).toMatch(/^The roots come from the database\.$/m);
    const added = await type('docker compose run --rm ops operators add anna --role admin');
    const OPERATOR_CREDENTIAL = /^credential: (\S+)$/m.exec(added)?.[1] ?? '';
    const find = 'docker compose run --rm -e OPERATOR_CREDENTIAL ops cases find --customer C1001';
    expect(await type(find, {}, { OPERATOR_CREDENTIAL })).toMatch(/^aac-/m);
    await type('docker compose run --rm ops report statistics --quarter 2026Q4');
    const copy = 'docker compose run --rm --entrypoint tar ops --directory /data --create reports | tar --extract';
    expect(await type(copy)).toContain('reports/statistics-2026Q4.html');
  });

  it('with profile-1 has another gateway, whose trail the tools search too', async () => {
    await containers.up('profile-1');
    expect(await type('docker compose run --rm -e BANK_HOST=gateway-profile-1 ops status')).toMatch(
      new RegExp(`http:.+:${await atHome(3011)},[^]*Safe to restart now: yes`),
    );
    const answer = await fetch(`http://localhost:${await atHome(3010)}${v3_1.basePath}/accounts`);
    expect(answer.status).toBe(401);
    const both = 'docker compose run --rm ops trail load --trail /trails/profile-1 --trail /trails/profile-2';
    expect(await type(both)).toContain('Searched: 2 instances');
  });

  it('with embedded leads a person from the TPP’s page to the accounts', async () => {
    await type('docker compose --profile embedded up --build');
    const journey = 'docker compose exec embedded-tpp node dist/sandbox/cli/main.js journey --persona complete';
    expect(await type(journey)).toContain('Everyday Current Account');
    if (!present) return;
    const browser = await launchChromium();
    try {
      await readAccounts(await browser.newPage(), await atHome(3005), await atHome(3032));
    } finally {
      await browser.close();
    }
  });

  it('has a TPP that listens where other containers reach it, as the bank does', async () => {
    // The harness cannot tell every address of a container from its loopback address. This one is nowhere.
    const environment = { SANDBOX_HOST: '192.0.2.1' };
    for (const [service, words] of [
      ['embedded-bank', ['node', 'dist/sandbox/bank/main.js']],
      ['embedded-tpp', ['node', 'dist/sandbox/tpp/main.js']],
    ] as const) {
      const { code, said } = await containers.run({ service, words, environment });
      expect([service, code, said]).toEqual([service, 1, expect.stringContaining('192.0.2.1 is not an address')]);
    }
  });

  it('with observability lets Prometheus read the gateways', async () => {
    const url = `http://127.0.0.1:${await atHome(9090)}/api/v1/query?query=${encodeURIComponent('up{job="gateway"}')}`;
    let answered = '';
    await until(async () => {
      answered = await fetch(url).then(
        (answer) => answer.text(),
        () => '',
      );
      return answered.includes('"value"');
    }, patienceMs);
    expect(answered).toMatch(/"value":\[[\d.]+,"1"\]/);
  });

  it('recovers, retains and erases by the operators’ commands', async () => {
    await type('docker compose run --rm -e RETENTION_DAYS=400 ops retention');
    await type('docker compose run --rm ops erase customer C1001 --withdraw');
    await type('docker compose stop gateway-profile-2');
    const recover = 'docker compose run --rm ops recover --since T';
    expect(await type(recover, { T: new Date(realNowMs()).toISOString() })).toContain(' 1 already so');
    await type('docker compose start gateway-profile-2');
  });

  it('needs Docker for the other images alone', () => {
    const missing = containers.services.filter(({ name }) => !containers.ran.has(name));
    print(`not run here: ${missing.map(({ name, image }) => `${name} (${image})`).join(', ')}`);
    expect(missing.filter(({ target }) => target !== undefined).map(({ name }) => name)).toEqual(['gateway-fineract']);
    const untried = [...documented].filter((line) => !typed.has(line));
    const needed = (line: string): boolean => missing.some(({ name }) => line.split(' ').includes(name));
    expect(untried.filter((line) => !needed(line))).toEqual([]);
  });

  it('lets no process of ours write into the files of its image', () => {
    expect(containers.writtenInImages()).toEqual([]);
  });

  it('stops every service without a fault', async () => {
    const codes = await containers.down();
    expect(Object.entries(codes).filter(([, code]) => code !== 0)).toEqual([]);
  });
});

async function readAccounts(page: Page, tppPort: number, bankPort: number): Promise<void> {
  await page.goto(`http://localhost:${tppPort}`);
  await page.getByRole('button', { name: 'Connect to the bank' }).click();
  await page.getByLabel(/user ?name|login|customer number/i).fill('complete');
  await page.getByLabel(/password/i).fill('sandbox-complete');
  await page.locator('form button.main').click();
  await page.locator('input[name=code]').fill(await codeFor('complete', `http://localhost:${bankPort}/inbox`));
  await page.locator('form button.main').click();
  for (const box of await page.locator('input[name=account]').all()) await box.check();
  await page.getByRole('button', { name: /^approve/i }).click();
  await page.waitForURL(`http://localhost:${tppPort}/`);
  expect(await page.getByRole('status').first().textContent()).toBe('You are connected.');
  expect(await page.locator('main h2').allTextContents()).toContain('Everyday Current Account');
}
