import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { SystemClock } from '../../src/clock/clock.js';
import { createAdapter } from '../../src/core-banking/adapters/fineract/fineract.adapter.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { freePort } from '../support/free-port.js';
import { freshPglite } from '../support/fresh-database.js';
import { type ConsentedCustomer, Stack } from '../support/stack.js';
import type { Persona } from '../../sandbox/bank/personas/persona.js';
import { makePersonas } from '../../sandbox/bank/personas/personas.js';
import { FineractStub } from '../cores/fineract/fineract-stub.js';
import { savings, smallBank, smallBankVariables, transaction } from '../cores/fineract/small-bank.js';
import { trailKeys } from '../support/trail-keys.js';

const loader = new URL('../support/typescript-loader.mjs', import.meta.url).href;
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const secret = 'a-secret-of-at-least-32-characters';

describe('the gateway, started on Fineract', () => {
  const started: ChildProcess[] = [];
  const dropped: (() => Promise<unknown>)[] = [];
  let stub: FineractStub;
  beforeAll(async () => {
    stub = await FineractStub.start({ model: smallBank(), clock: new SystemClock() });
  });
  afterEach(async () => {
    for (const child of started.splice(0)) {
      if (child.exitCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    for (const drop of dropped.splice(0)) await drop();
  });
  afterAll(() => stub.close());

  /** The process, and all its output. */
  function start(environment: Readonly<Record<string, string>>): { child: ChildProcess; said: () => string } {
    const child = spawn(process.execPath, ['--import', loader, main], {
      env: {
        PATH: process.env.PATH,
        CORE: 'fineract',
        CORE_URL: stub.url,
        ...smallBankVariables,
        BANK_CREDENTIAL: secret,
        ID_KEY: `another-${secret}`,
        ...trailKeys,
        TOKEN_ISSUER: 'https://issuer.example',
        TOKEN_AUDIENCE: 'account-information',
        TOKEN_JWKS: 'https://issuer.example/jwks.json',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    return { child, said: () => said };
  }
  async function refusal(environment: Readonly<Record<string, string>>): Promise<string> {
    const { child, said } = start(environment);
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    return said().trim();
  }

  it.each([
    [
      'profile-1',
      'gateway: PROFILE profile-1 promises offers (Fineract has no offers), scheduled-payments (Fineract has no payment that ' +
        'is made once on a later day, only standing instructions), statements (Fineract keeps no statements), which the core ' +
        '"fineract" cannot serve: choose another profile or write one (docs/bank/product-profile.md), or give the adapter those reads',
    ],
    [
      'profile-2',
      'gateway: PROFILE profile-2 promises offers (Fineract has no offers), scheduled-payments (Fineract has no payment that ' +
        'is made once on a later day, only standing instructions), direct-debits (Fineract has no direct debits), which the core ' +
        '"fineract" cannot serve: choose another profile or write one (docs/bank/product-profile.md), or give the adapter those reads',
    ],
  ])('refuses %s, and says of each endpoint why', async (PROFILE, words) => {
    expect(await refusal({ PROFILE })).toBe(words);
  });

  it('refuses profile-fineract while no data table holds the records that Fineract lacks', async () => {
    const words = await refusal({
      PROFILE: 'profile-fineract',
      CORE_BENEFICIARIES_TABLE: '',
      CORE_IDENTIFIERS_TABLE: '',
    });
    expect(words).toContain('beneficiaries (Fineract does not keep beneficiaries');
    expect(words).toContain('standing-orders (the payee of a standing order');
  });

  it('refuses a setting of Fineract by its name', async () => {
    expect(await refusal({ PROFILE: 'profile-fineract', CORE_TENANT_TIME_ZONE: 'Asia/Kolkata' })).toMatch(
      /^gateway: settings of the core "fineract": CORE_TENANT_TIME_ZONE must be Europe\/London/,
    );
  });

  it('starts with profile-fineract', async () => {
    const { config, drop } = await freshPglite();
    dropped.push(drop);
    const [port, bankPort] = [await freePort(), await freePort()];
    const ports = { PORT: String(port), BANK_PORT: String(bankPort), DATA_DIR: config.dataDir };
    const { child, said } = start({ PROFILE: 'profile-fineract', ...ports });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`it ended: ${said()}`);
    });
    const ready = new Promise<void>((resolve) => {
      child.stdout?.on('data', () => said().includes('"msg":"ready"') && resolve());
    });
    await Promise.race([ready, ended]);
    ended.catch(() => undefined);
    expect(said()).toContain('"profile":"profile-fineract","core":"fineract"');
    expect(said()).not.toContain(smallBankVariables.CORE_PASSWORD);
    const answer = await fetch(`http://127.0.0.1:${port}${v3_1.basePath}/accounts`);
    expect(answer.status).toBe(401);
  });
});

describe('with profile-fineract', () => {
  /** The small bank's client 7 with account 101. */
  const people = (nowMs: number): Persona[] =>
    makePersonas(nowMs)
      .filter(({ name }) => name === 'complete')
      .map(({ accounts: [account], person, ...rest }) => ({
        ...rest,
        person: { ...person, key: '7' },
        accounts: account === undefined ? [] : [{ ...account, acct: { ...account.acct, key: '101' } }],
      }));
  let stub: FineractStub;
  let stack: Stack;
  let customer: ConsentedCustomer;
  beforeAll(async () => {
    const model = smallBank();
    model.accounts.splice(0, 1, savings({ id: 101, clientId: 7, transactions: [transaction({ id: 1 })] }));
    stub = await FineractStub.start({ model, clock: { nowMs: () => stack.clock.nowMs() } });
    stack = await Stack.start({
      profile: 'profile-fineract',
      makePersonas: people,
      adapter: () => createAdapter({ url: stub.url, connections: 4, variables: smallBankVariables }, kitServices),
    });
    customer = await stack.consent({ persona: 'complete' });
  });
  afterAll(async () => {
    await stack.close();
    await stub.close();
  });

  it.each(['offers', 'scheduled-payments', 'statements', 'direct-debits'])(
    '%s answer 404, and never an empty list, which would mean that the customer has no such records',
    async (endpoint) => {
      const { status } = await stack.ask(`/accounts/${customer.accountId('CurrentAccount')}/${endpoint}`, {
        token: customer.token,
      });
      expect(status).toBe(404);
    },
  );

  it.each(['ReadOffers', 'ReadScheduledPaymentsBasic', 'ReadStatementsDetail', 'ReadDirectDebits', 'ReadPAN'])(
    'a consent cannot name %s',
    async (code) => {
      const { status } = await stack.ask('/account-access-consents', {
        method: 'POST',
        token: await stack.clientToken(),
        payload: { Data: { Permissions: ['ReadAccountsDetail', code] }, Risk: {} },
      });
      expect(status).toBe(400);
    },
  );

  it('no answer and no log line contains the core’s password, a staff name or the customer’s references', async () => {
    stack.log.length = 0;
    const answers: string[] = [];
    for (const { AccountId } of customer.accounts)
      for (const path of ['', '/balances', '/transactions', '/party', '/beneficiaries', '/standing-orders', '/product'])
        answers.push((await stack.ask(`/accounts/${AccountId}${path}`, { token: customer.token })).body);
    const all = [...answers, ...stack.log].join('\n');
    for (const word of [smallBankVariables.CORE_PASSWORD, 'teller7', '"7"', '"101"']) expect(all).not.toContain(word);
  });
});
