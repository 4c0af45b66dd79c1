import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { createConsent, publishedFacts, token } from '../../sandbox/actions/consent.js';
import type { Persona } from '../../sandbox/bank/personas/persona.js';
import { describePersona } from '../../sandbox/bank/staff-paths.js';
import type { FundsAnswer } from '../../sandbox/actions/funds.js';
import { servedFundsVersions, servedVersions } from '../../sandbox/clients/published-facts.js';
import { Stack as RunningStack } from '../../sandbox/clients/stack.js';
import { FaultyStart } from '../../sandbox/faulty-start.js';
import { readSandboxConfig, type SandboxConfig } from '../../sandbox/sandbox.config.js';
import { sandboxCommand } from '../support/sandbox-command.js';
import { bankCredential, minuteMs, Stack } from '../support/stack.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { versions } from '../../src/versions/versions.js';

describe('the sandbox’s command line with a running stack', () => {
  let stack: Stack;
  let config: SandboxConfig;

  beforeAll(async () => {
    stack = await Stack.start();
    await stack.gateway.listen();
    const portOf = (server: typeof stack.gateway.server) => String((server.addresses()[0] as AddressInfo).port);
    config = readSandboxConfig({
      // A name that this machine cannot resolve, as for a gateway behind a proxy.
      BASE_URL: 'https://gateway.example',
      PORT: portOf(stack.gateway.server),
      BANK_PORT: portOf(stack.gateway.bankServer),
      SANDBOX_PORT: new URL(stack.bank.url).port,
      BANK_CREDENTIAL: bankCredential,
    });
  });
  afterAll(() => stack.close());

  /** Runs a command line, as a person would type it. */
  function sandbox(line: string) {
    return sandboxCommand(line.split(' '), new RunningStack(config, stack.clock));
  }

  /** The output of `--json`, for a program. */
  async function json(line: string) {
    return JSON.parse(JSON.stringify((await sandbox(line)).json));
  }

  interface Given {
    ConsentId: string;
    AccessToken: string;
    ClientToken: string;
    BaseUrl: string;
    Accounts: { AccountId: string; Product: string }[];
  }
  const consent = (options = '--persona complete'): Promise<Given> => json(`consent ${options}`);
  const accountId = ({ Accounts }: Given, product: string) =>
    Accounts.find(({ Product }) => Product === product)?.AccountId ?? '';
  const balances = async (given: Given, product = 'CurrentAccount') =>
    (await stack.ask(`/accounts/${accountId(given, product)}/balances`, { token: given.AccessToken })).status;
  const party = async (given: Given) =>
    (await stack.ask(`/accounts/${accountId(given, 'CurrentAccount')}/party`, { token: given.AccessToken })).status;

  it('lists the personas in order, with their login names and passwords', async () => {
    const { personas } = await json('personas');
    expect(personas).toHaveLength(stack.bank.personas.length);
    expect(personas[0]).toEqual(describePersona(stack.bank.personas[0] as Persona));
    const { text } = await sandbox('personas');
    expect(text).toContain('complete (Amelia Hart): ');
    expect(text).toContain(
      '\n  signs in as complete with sandbox-complete (in the sandbox only)\n  A100101  CurrentAccount\n',
    );
  });

  it('gives a consent with which the accounts can be read over HTTP', async () => {
    const given = await consent();
    expect(given).toEqual({
      ConsentId: expect.any(String),
      AccessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      ClientToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      BaseUrl: `${config.baseUrl}${v3_1.basePath}`,
      Accounts: ['CurrentAccount', 'Savings', 'CreditCard', 'RewardsPayPlus', 'RoundUp'].map((Product) => ({
        ref: expect.stringMatching(/^A1001\d\d$/),
        AccountId: expect.any(String),
        Product,
      })),
    });
    const answer = await fetch(`http://127.0.0.1:${config.port}${v3_1.basePath}/accounts`, {
      headers: { authorization: `Bearer ${given.AccessToken}` },
    });
    expect(answer.status).toBe(200);
    expect((await sandbox('consent --persona complete')).text).toMatch(
      new RegExp(
        `^consent \\S+\n(  A1001\\d\\d  \\S+  \\w+\n){5}\ncurl -sS -H 'Authorization: Bearer \\S+' ${config.baseUrl}/`,
      ),
    );
  });

  it('gives a consent of v4.0, whose line reads v4.0', async () => {
    const { text, json: given } = await sandbox('consent --persona complete --api v4.0');
    expect(text).toContain(` ${config.baseUrl}/open-banking/v4.0/aisp/accounts`);
    const status = async (version: string): Promise<number> =>
      (await stack.ask(`/open-banking/${version}/aisp/accounts`, { token: (given as Given).AccessToken })).status;
    expect([await status('v4.0'), await status('v3.1')]).toEqual([200, 403]);
  });

  it('asks for no version that the bank does not serve, and takes one that it does', async () => {
    const facts = { ...(await publishedFacts(new RunningStack(config))), Versions: [{ Name: 'v4.0' as const }] };
    expect(servedVersions(facts).map(({ name }) => name)).toEqual(['v4.0']);
    expect(() => servedVersions(facts, 'v3.1')).toThrow(new FaultyStart('the bank does not serve v3.1: take v4.0'));
  });

  it('gives a consent with the requested permissions, accounts, dates and time since the authentication', async () => {
    const given = await consent(
      '--persona complete --permissions ReadAccountsBasic,ReadBalances,ReadParty --accounts A100101 ' +
        '--authenticated-ago 6m --from 2026-01-31 --to 2026-02-28 --expires 2027-01-01T00:00:00Z',
    );
    expect(given.Accounts.map(({ Product }) => Product)).toEqual(['CurrentAccount']);
    const told = await stack.ask(`/account-access-consents/${given.ConsentId}`, { token: given.ClientToken });
    expect(told.json.Data).toMatchObject({
      Permissions: ['ReadAccountsBasic', 'ReadBalances', 'ReadParty'],
      TransactionFromDateTime: '2026-01-31T00:00:00+00:00',
      TransactionToDateTime: '2026-02-28T00:00:00+00:00',
      ExpirationDateTime: '2027-01-01T00:00:00Z',
    });
    expect([await balances(given), await party(given)]).toEqual([200, 403]);
  });

  describe.each(versions)('confirmation of funds in $name', ({ name, fundsPath }) => {
    const funds = async (options: string): Promise<FundsAnswer> => json(`funds ${options} --api ${name}`);

    it('says yes where an account has the amount, with a line that asks again as often as it is pasted', async () => {
      const { text, json: given } = await sandbox(`funds --persona complete --api ${name}`);
      const { ConsentId, FundsConfirmationId, ...more } = given as FundsAnswer;
      expect(more).toMatchObject({ FundsAvailable: true, Account: 'A100101', BaseUrl: config.baseUrl + fundsPath });
      const [answer, curl = ''] = text.split('\n\n');
      expect(answer).toBe(
        `yes: 25.00 GBP from A100101\n  consent  ${ConsentId}\n  request  sandbox\n  answer   ${FundsConfirmationId}`,
      );
      const line = /^curl -sS -H 'Authorization: Bearer (\S+)' -H '[^']+' -d '(.+)' (https:\S+)$/.exec(curl);
      const [, token = '', body = '', url = ''] = line ?? [];
      const again = async (second: number): Promise<unknown> => {
        const payload = JSON.parse(body.replace("'$(date +%s)'", String(second)));
        return (await stack.ask(new URL(url).pathname, { method: 'POST', token, payload })).json.Data.FundsAvailable;
      };
      expect([await again(1), await again(2)]).toEqual([true, true]);
    });

    it('says no where the account is overdrawn, or has less than the amount', async () => {
      expect(await funds('--persona overdrawn --amount 0.01')).toMatchObject({ FundsAvailable: false });
      expect(await funds('--persona complete --account A100102 --amount 999999.99')).toMatchObject({
        FundsAvailable: false,
        Account: 'A100102',
      });
      expect((await sandbox(`funds --customer C1002 --api ${name}`)).text).toMatch(/^no: 25\.00 GBP from A100201\n/);
    });
  });

  it('asks for no funds where the bank does not offer it', async () => {
    const facts = { Versions: [{ Name: 'v4.0' as const }] };
    expect(() => servedFundsVersions(facts)).toThrow(/^the bank does not offer confirmation of funds: its profile /);
  });

  it('re-authenticates the customer of a consent', async () => {
    const given = await consent('--persona complete --authenticated-ago 6m');
    expect(await party(given)).toBe(403);
    expect(await json(`reauthenticate ${given.ConsentId}`)).toMatchObject({
      ConsentId: given.ConsentId,
      Status: 'authorised',
      CustomerRef: 'C1001',
    });
    expect(await party(given)).toBe(200);
    stack.clock.advance(5 * minuteMs);
    expect(await party(given)).toBe(403);
    expect((await sandbox(`reauthenticate ${given.ConsentId}`)).text).toBe(
      `${given.ConsentId}: the customer has authenticated now`,
    );
  });

  it('revokes a consent', async () => {
    const given = await consent();
    expect(await json(`revoke ${given.ConsentId}`)).toMatchObject({ ConsentId: given.ConsentId, Status: 'cancelled' });
    expect(await balances(given)).toBe(401);
    const other = await consent();
    expect((await sandbox(`revoke ${other.ConsentId}`)).text).toBe(`${other.ConsentId}: cancelled`);
  });

  it('blocks an account, and opens it again', async () => {
    const given = await consent();
    expect(await json('account A100102 --state not-permitted')).toEqual({ ref: 'A100102', state: 'not-permitted' });
    expect([await balances(given, 'Savings'), await balances(given)]).toEqual([400, 200]);
    expect((await sandbox('account A100102 --state valid')).text).toBe('A100102: valid');
    expect(await balances(given, 'Savings')).toBe(200);
  });

  it('breaks the core, and fixes it', async () => {
    const given = await consent();
    expect(await json('core --fault garbage')).toEqual({ fault: 'garbage' });
    expect(await balances(given)).toBe(500);
    expect((await sandbox('core --fault none')).text).toBe('core fault: none');
    expect(await balances(given)).toBe(200);
  });

  it('names the endpoints that still answer from the second at which the window closes', async () => {
    expect((await sandbox('consent --persona complete --authenticated-ago 299s')).text).not.toContain('window');
    const { text, json: given } = await sandbox('consent --persona complete --authenticated-ago 300s');
    expect(text).toContain(`
The authentication window is closed: the customer authenticated 300 seconds ago or more.
These still answer: accounts, balances, transactions of the last 90 days. All else is 403 Reauthentication until
  npm run --silent sandbox -- reauthenticate ${(given as Given).ConsentId}
`);
  });

  it.each([
    ['consent --persona unknown', /^there is no customer unknown: it is one of complete, .*trader$/],
    ['consent --persona complete --permissions ReadPAN', /ReadPAN.* \(POST \S+ answered 400\)$/],
    ['consent --persona complete --accounts A100201', /^\S.* \(POST \S+authorise answered 4\d\d\)$/],
    [
      'funds --persona complete --account A100103',
      /^complete has no account A100103 with a sort code and number, or an IBAN: name one of A100101, A100102, /,
    ],
    ['funds --persona complete --amount much', /Data\.InstructedAmount\.Amount.* \(POST \S+ answered 400\)$/],
    ['reauthenticate nothing', /^There is no consent with this id, or it was deleted \([A-Z]+ \S+ answered 400\)$/],
    ['revoke nothing', /^There is no consent with this id, or it was deleted \([A-Z]+ \S+ answered 400\)$/],
    [
      'unlock complete',
      /^This gateway runs without the embedded authorization server \(POST \S+unlock answered 404\)$/,
    ],
    ['account A9 --state valid', /^there is no account A9 \(PUT \S+ answered 404\)$/],
  ])('refuses in one line: %s', async (line, expected) => {
    const error: unknown = await sandbox(line).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FaultyStart);
    const { message } = error as Error;
    expect(message).toMatch(expected);
    expect(message).not.toContain('\n');
  });

  it('does not re-authenticate a consent without an authorisation', async () => {
    const running = new RunningStack(config);
    const awaiting = await createConsent(running, v3_1.basePath, await token(running), {
      Permissions: ['ReadAccountsBasic'],
    });
    await expect(sandbox(`reauthenticate ${awaiting}`)).rejects.toThrow(
      `consent ${awaiting} has not been authorised yet`,
    );
  });

  it('says how to start the stack when none runs', async () => {
    const nowhere = { ...config, sandboxPort: 1 };
    const listed = (where: SandboxConfig) => sandboxCommand(['personas'], new RunningStack(where));
    await expect(listed(nowhere)).rejects.toThrow(
      'nothing answers at http://127.0.0.1:1: start the stack with npm start',
    );
    const keyless = readSandboxConfig({ DATA_DIR: '/nowhere' });
    await expect(listed(keyless)).rejects.toThrow(/bank-credential cannot be read: start the stack with npm start/);
  });
});
