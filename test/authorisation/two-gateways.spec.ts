import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeProtectedHeader, UnsecuredJWT } from 'jose';
import { clientCredentialsGrant, type CustomFetch } from 'openid-client';
import { cachedForMs } from '../../src/persistence/cached-rows.js';
import { v4_0 } from '../../src/versions/v4.0/v4.0.js';
import { debtorOf, gbp } from '../funds/asks-for-funds.js';
import { patience, postgresUrl } from '../support/fresh-database.js';
import { realNowMs } from '../support/real-time.js';
import { until } from '../support/until.js';
import { freePorts, GatewayProcess, patienceMs } from '../operations/gateway-process.js';
import { freePort } from '../support/free-port.js';
import { trailKeys } from '../support/trail-keys.js';
import type { Ports } from './routed-agent.js';
import { offeredKeys, AuthorisationSetting, defaultPermissions, type Access } from './setting.js';
import type { TestTpp } from './tpp.js';

// One embedded database serves one process; several gateways stand on a PostgreSQL.
(postgresUrl === undefined ? describe.skip : describe)('two authorization servers on one PostgreSQL', () => {
  let first: AuthorisationSetting;
  let second: AuthorisationSetting;
  let tpp: TestTpp;
  /** The TPP's requests, where a balancer sends them to the second gateway. */
  let toSecond: CustomFetch;
  beforeAll(async () => {
    first = await AuthorisationSetting.start();
    second = await first.another();
    tpp = await first.tpp('tpp-one');
    toSecond = tpp.fetchWith(tpp.certified, second.ports);
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });

  const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
    attempt.then(
      () => true,
      () => false,
    );
  const atFirst = async (token: string): Promise<number> => (await tpp.ask('/accounts', token)).status;
  const atSecond = async (token: string): Promise<number> =>
    (await tpp.ask('/accounts', token, { fetch: toSecond })).status;

  it.each<[string, (access: Access) => Promise<unknown>]>([
    ['revoked by the bank', ({ consentId }) => first.stack.report(`/consents/${consentId}/revoke`, {})],
    [
      'deleted by its TPP',
      async ({ consentId }) =>
        tpp.ask(`/account-access-consents/${consentId}`, await tpp.ownToken(), { method: 'DELETE' }),
    ],
    [
      'followed by a re-authentication',
      async ({ consentId }) => {
        const begun = await tpp.begin(consentId);
        const browser = first.browser();
        const page = await first.signIn(browser, await browser.open(begun.url), 'saver');
        return tpp.finish(begun, (await browser.submit(page, { decision: 'approve' })).url);
      },
    ],
  ])('a token of the first is good at the second, and dies there when it is %s', async (_how, end) => {
    const access = await first.access(tpp, 'saver');
    const { accessToken, refreshToken } = access;
    expect([await atFirst(accessToken), await atSecond(accessToken)]).toEqual([200, 200]);
    await end(access);
    await until(async () => (await atSecond(accessToken)) !== 200);
    expect([await atFirst(accessToken), await atSecond(accessToken)]).toEqual([401, 401]);
    expect(await succeeds(tpp.refresh(refreshToken, toSecond))).toBe(false);
  });

  it('of 20 exchanges of one code, half of them at each, one wins', async () => {
    const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
    const back = await first.approve(begun, 'saver');
    const exchanges = Array.from({ length: 20 }, (_, turn) => tpp.finish(begun, back, turn % 2 ? toSecond : tpp.fetch));
    expect((await Promise.all(exchanges.map(succeeds))).filter(Boolean).length).toBe(1);
  });

  it('a TPP that an operator suspends at the first is refused everything at the second', async () => {
    const { consentId, accessToken, refreshToken } = await first.access(tpp, 'saver');
    const atTheSecond = async (): Promise<Readonly<Record<string, boolean>>> => {
      const object = await tpp.requestObject(consentId);
      const { href } = await tpp.beginWith(object);
      const config = tpp.config(toSecond);
      return {
        accessToken: (await atSecond(accessToken)) === 200,
        refresh: await succeeds(tpp.refresh(refreshToken, toSecond)),
        clientCredentials: await succeeds(config.then((known) => clientCredentialsGrant(known, { scope: 'accounts' }))),
        authorizationRequest: (await toSecond(href, { redirect: 'manual' } as never)).status === 303,
      };
    };
    const all = { accessToken: true, refresh: true, clientCredentials: true, authorizationRequest: true };
    expect(await atTheSecond()).toEqual(all);
    expect((await first.stack.report('/tpps/tpp-one/suspend?issuer=embedded', {})).status).toBe(200);
    await until(async () => (await atSecond(accessToken)) !== 200);
    expect(await atTheSecond()).toEqual(Object.fromEntries(Object.keys(all).map((name) => [name, false])));
    expect((await second.stack.report(`/consents/${consentId}`)).json.Status).toBe('authorised');
    expect((await second.stack.report('/tpps/tpp-one/reinstate?issuer=embedded', {})).status).toBe(200);
    await until(async () => (await atSecond(accessToken)) === 200);
    expect(await atTheSecond()).toEqual(all);
  });

  it('a TPP that one deletes is refused at the other; software has one client, and one of them asks the directory of it', async () => {
    const registered = await first.tpp('tpp-registered');
    const { accessToken } = await first.access(registered, 'saver');
    const seen = async (): Promise<number> =>
      (
        await registered.ask('/accounts', accessToken, {
          fetch: registered.fetchWith(registered.certified, second.ports),
        })
      ).status;
    expect(await seen()).toBe(200);
    const { clientId, name, metadata } = registered.registration;
    const software = {
      softwareId: 'software',
      organisationId: 'organisation',
      statement: new UnsecuredJWT({ software_roles: ['AISP'] }).encode(),
    };
    expect(await first.server.tpps.enrol({ clientId: 'another', name, metadata, software })).toBe(true);
    expect(await second.server.tpps.enrol({ clientId: 'one-more', name, metadata, software })).toBe(false);
    await sleep(5);
    const before = new Date(first.clock.nowMs());
    const [taken, ...others] = await Promise.all(
      [first, second, first, second].map(({ server }) => server.tpps.takeForCheck(before)),
    ).then((all) => all.filter((one) => one !== undefined));
    expect([taken?.clientId, others]).toEqual(['another', []]);
    await first.server.tpps.remove(clientId);
    await until(async () => (await seen()) !== 200);
    expect(await seen()).toBe(401);
  });

  it('a sign-in that began at the first ends at the second', async () => {
    const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
    const browser = first.browser();
    const choice = await first.signIn(browser, await browser.open(begun.url), 'saver');
    await browser.sendTo(second.ports);
    const back = await browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    const tokens = await tpp.finish(begun, back.url, toSecond);
    expect(await atSecond(tokens.access_token)).toBe(200);
  });

  it('a session of the dashboard begins at the first and ends at the second; access that is withdrawn there is dead here', async () => {
    const { consentId, accessToken } = await first.access(tpp, 'saver');
    expect([await atFirst(accessToken), await atSecond(accessToken)]).toEqual([200, 200]);
    const browser = first.browser();
    const code = await browser.submit(await browser.open('/as/dashboard'), {
      login_name: 'saver',
      password: first.person('saver').password,
    });
    await browser.sendTo(second.ports);
    await browser.submit(code, { code: first.person('saver').code });
    const confirmation = await browser.open(`/as/dashboard/withdraw/${consentId}`);
    await browser.sendTo(new Map());
    const overview = await browser.submit(confirmation, { decision: 'continue' }, consentId);
    expect(overview.html).toContain('You withdrew the access of');
    expect(await atFirst(accessToken)).toBe(401);
    await until(async () => (await atSecond(accessToken)) !== 200);
    expect(await atSecond(accessToken)).toBe(401);
    await browser.sendTo(second.ports);
    await browser.submit(overview, {}, 'sign-out');
    await browser.sendTo(new Map());
    expect((await browser.open('/as/dashboard')).html).toContain('name="password"');
  });

  it('of many sign-ins that are begun at once, half of them at each, as many go through as at one', async () => {
    const before = first.customers.started;
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, turn) => {
        const browser = first.browser();
        if (turn % 2) await browser.sendTo(second.ports);
        const page = await browser.open('/as/dashboard');
        const { status } = await browser.submit(page, { login_name: 'overdrawn', password: 'overdrawn-password' });
        return status;
      }),
    );
    const refused = statuses.filter((status) => status === 429).length;
    expect({ started: first.customers.started - before, refused, statuses }).toMatchObject({ started: 3, refused: 17 });
  });

  it('a use at the first is seen on the dashboard of the second within seconds', async () => {
    const { accessToken } = await first.access(tpp, 'cards');
    expect(await atSecond(accessToken)).toBe(200);
    const browser = first.browser();
    let page = await first.signIn(browser, await browser.open('/as/dashboard'), 'cards');
    for (let tries = 0; tries < 600 && /Last used\s*<\/dt>\s*<dd>\s*Never/.test(page.html); tries++) {
      await sleep(100);
      page = await browser.open('/as/dashboard');
    }
    expect(page.html).toMatch(/Last used\s*<\/dt>\s*<dd>\s*\d/);
  });

  it('keys that the first rotates sign and are known at both, under load, without a failed request', async () => {
    const { accessToken, refreshToken } = await first.access(tpp, 'saver');
    const statuses: (number | undefined)[] = [];
    const before = decodeProtectedHeader(accessToken).kid;
    const signers = new Set<string | undefined>();
    let stop = false;
    /** Gets tokens of the one and uses each at both. */
    const load = async (issuer: CustomFetch): Promise<void> => {
      while (!stop) {
        const fresh = await tpp.refresh(refreshToken, issuer).catch(() => undefined);
        if (fresh === undefined) statuses.push(undefined);
        else {
          signers.add(decodeProtectedHeader(fresh.access_token).kid);
          statuses.push(await atFirst(fresh.access_token), await atSecond(fresh.access_token));
        }
      }
    };
    const under = Promise.all([load(tpp.fetch), load(toSecond)]);
    const more = (): Promise<void> => {
      const seen = statuses.length;
      return until(() => statuses.length >= seen + 12);
    };
    const waitMs = 5 * 60_000 + 1;
    try {
      await more();
      await first.server.keys.rotate();
      const rotatedMs = performance.now();
      await more();
      expect([...signers]).toEqual([before]);
      // The clock of the minutes is the test's, and that of the second for which the other keeps the keys is not.
      while (performance.now() - rotatedMs < cachedForMs) await more();
      first.clock.advance(waitMs);
      await first.server.keys.load();
      await more();
      await second.server.keys.load();
      await more();
    } finally {
      stop = true;
      await under;
      first.clock.set(realNowMs());
    }
    expect(signers.size).toBe(2);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect([await atFirst(accessToken), await atSecond(accessToken)]).toEqual([200, 200]);
  });

  describe('another process', () => {
    let process: GatewayProcess;
    let ports: Ports;
    beforeAll(async () => {
      const { stack, listeners } = first;
      const { browser, tpp, keyEncryptionKey } = listeners;
      const { database, cores, bankCredentials, idKey, profile } = stack.config;
      const [browserPort, tppPort] = [String(await freePort()), String(await freePort())];
      // A busy machine may keep PostgreSQL waiting.
      const databaseUrl = new URL(database.url ?? '');
      databaseUrl.searchParams.set('connect_timeout', String(patience.connectTimeoutMs / 1_000));
      const listening = await freePorts();
      const environment = {
        PORT: String(listening.port),
        BANK_PORT: String(listening.bankPort),
        BROWSER_PORT: browserPort,
        MTLS_PORT: tppPort,
        BASE_URL: stack.config.baseUrl,
        BROWSER_URL: browser.url,
        MTLS_URL: tpp.url,
        BROWSER_TLS_CERT_FILE: browser.tls?.certFile,
        BROWSER_TLS_KEY_FILE: browser.tls?.keyFile,
        MTLS_CERT_FILE: tpp.tls?.certFile,
        MTLS_KEY_FILE: tpp.tls?.keyFile,
        MTLS_CLIENT_CA_FILE: tpp.tls?.clientCaFile,
        AUTHORISATION_SERVER: 'embedded',
        DATABASE_URL: databaseUrl.href,
        CORE_URL: cores[0]?.url,
        BANK_CREDENTIAL: bankCredentials.join(','),
        ID_KEY: idKey,
        ...trailKeys,
        KEY_ENCRYPTION_KEY: keyEncryptionKey.toString('hex'),
        PROFILE: profile,
        // Customers sign in at the first gateway, so this address is never asked.
        CUSTOMER_AUTHENTICATION_URL: 'http://127.0.0.1:1',
        CUSTOMER_AUTHENTICATION_CREDENTIAL: 'sign-on-0123456789abcdefghijklmnopqr',
      };
      process = await GatewayProcess.start(environment, {
        command: [execPath, '--import', './test/support/typescript-loader.mjs', 'src/main.ts'],
      });
      ports = new Map([
        [new URL(browser.url).port, browserPort],
        [new URL(tpp.url).port, tppPort],
      ]);
    }, patienceMs);
    afterAll(() => process.kill());

    it('completes a sign-in, has the same keys, and refuses a token that was revoked here', async () => {
      const toProcess = tpp.fetchWith(tpp.certified, ports);
      const read = async (token: string, at: CustomFetch): Promise<number> =>
        (await tpp.ask('/accounts', token, { fetch: at })).status;
      const consentId = await tpp.createConsent(defaultPermissions);
      const begun = await tpp.begin(consentId);
      const browser = first.browser();
      const choice = await first.signIn(browser, await browser.open(begun.url), 'saver');
      await browser.sendTo(ports);
      const back = await browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
      const { access_token: token, refresh_token: refreshToken = '' } = await tpp.finish(begun, back.url, toProcess);
      expect([await read(token, toProcess), await read(token, tpp.fetch)]).toEqual([200, 200]);

      const jwks = await toProcess(`${tpp.places.issuer}/jwks`, { method: 'GET' } as never);
      const { keys } = (await jwks.json()) as { keys: { kid: string }[] };
      expect(keys.map(({ kid }) => kid).sort()).toEqual(first.server.keys.published.map(({ kid }) => kid).sort());

      await first.stack.report(`/consents/${consentId}/revoke`, {});
      await until(async () => (await read(token, toProcess)) !== 200);
      expect([await read(token, toProcess), await succeeds(tpp.refresh(refreshToken, toProcess))]).toEqual([
        401,
        false,
      ]);
    });

    it('refuses each check of funds that comes a second after the customer withdrew its consent here', async () => {
      const scope = 'fundsconfirmations';
      const asking = await first.tpp('tpp-asking', { metadata: { scope: `openid accounts ${scope}` } });
      const post = (path: string, token: string, Data: object, fetch: CustomFetch) =>
        asking.ask(`${v4_0.fundsPath}/${path}`, token, { method: 'POST', payload: { Data }, fetch });
      const { DebtorAccount } = debtorOf(first.stack, 'joint');
      const created = await post(
        'funds-confirmation-consents',
        await asking.ownToken(scope),
        { DebtorAccount },
        asking.fetch,
      );
      const { ConsentId } = created.json.Data;
      const begun = await asking.begin(ConsentId, { scope: `openid ${scope}` });
      const { access_token: token } = await asking.finish(begun, await first.approve(begun, 'joint'));
      const check = async (at: CustomFetch): Promise<number> => {
        const asked = { ConsentId, Reference: randomUUID().slice(0, 35), InstructedAmount: gbp('0.01') };
        return (await post('funds-confirmations', token, asked, at)).status;
      };
      const toProcess = asking.fetchWith(asking.certified, ports);
      expect([await check(asking.fetch), await check(toProcess)]).toEqual([201, 201]);

      const browser = first.browser();
      await first.signIn(browser, await browser.open('/as/dashboard'), 'joint');
      const confirmation = await browser.open(`/as/dashboard/withdraw/${ConsentId}`);
      await browser.submit(confirmation, { decision: 'continue' }, ConsentId);
      const withdrawnMs = performance.now();
      expect(await check(asking.fetch)).toBe(400);
      // In use all the time, so that it has the consent in memory; below the TPP's rate limit, also on a fast machine.
      while (performance.now() < withdrawnMs + cachedForMs) await check(toProcess).then(() => sleep(20));
      expect(await check(toProcess)).toBe(400);
    });
  });
});
