import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeProtectedHeader } from 'jose';
import { clientCredentialsGrant, type CustomFetch } from 'openid-client';
import { postgresUrl } from '../support/fresh-database.js';
import { offeredKeys, AuthorisationSetting, defaultPermissions } from './setting.js';
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
  }, 60_000);
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

  it('a token of the one is good at the other, and dies there within 100 ms of its revocation', async () => {
    const { consentId, accessToken } = await first.access(tpp, 'saver');
    expect([await atFirst(accessToken), await atSecond(accessToken)]).toEqual([200, 200]);
    await first.stack.report(`/consents/${consentId}/revoke`, {});
    await sleep(100);
    expect([await atFirst(accessToken), await atSecond(accessToken)]).toEqual([401, 401]);
  });

  it('a TPP that an operator suspends at the one is refused everything at the other', async () => {
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
    expect((await first.stack.report('/tpps/tpp-one/suspend', {})).status).toBe(200);
    await sleep(100);
    expect(await atTheSecond()).toEqual(Object.fromEntries(Object.keys(all).map((name) => [name, false])));
    expect((await second.stack.report(`/consents/${consentId}`)).json.Status).toBe('Authorised');
    expect((await second.stack.report('/tpps/tpp-one/reinstate', {})).status).toBe(200);
    await sleep(100);
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
    const software = { softwareId: 'software', organisationId: 'organisation', statement: 'a.b.c' };
    expect(await first.server.tpps.enrol({ clientId: 'another', name, metadata, software })).toBe(true);
    expect(await second.server.tpps.enrol({ clientId: 'one-more', name, metadata, software })).toBe(false);
    await sleep(5);
    const before = new Date(first.clock.nowMs());
    const [taken, ...others] = await Promise.all(
      [first, second, first, second].map(({ server }) => server.tpps.takeForCheck(before)),
    ).then((all) => all.filter((one) => one !== undefined));
    expect([taken?.clientId, others]).toEqual(['another', []]);
    await first.server.tpps.remove(clientId);
    await sleep(100);
    expect(await seen()).toBe(401);
  });

  it('a sign-in that began at the one ends at the other', async () => {
    const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
    const browser = first.browser();
    const choice = await first.signIn(browser, await browser.open(begun.url), 'saver');
    await browser.sendTo(second.ports);
    const back = await browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    const tokens = await tpp.finish(begun, back.url, toSecond);
    expect(await atSecond(tokens.access_token)).toBe(200);
  });

  it('a session of the dashboard begins at the one, goes on and ends at the other; what is withdrawn there is dead here', async () => {
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
    await sleep(100);
    expect(await atSecond(accessToken)).toBe(401);
    await browser.sendTo(second.ports);
    await browser.submit(overview, {}, 'sign-out');
    await browser.sendTo(new Map());
    expect((await browser.open('/as/dashboard')).html).toContain('name="password"');
  });

  it('what is used at the one is seen on the dashboard of the other within seconds', async () => {
    const { accessToken } = await first.access(tpp, 'cards');
    expect(await atSecond(accessToken)).toBe(200);
    const browser = first.browser();
    let page = await first.signIn(browser, await browser.open('/as/dashboard'), 'cards');
    for (let tries = 0; tries < 80 && /Last used\s*<\/dt>\s*<dd>\s*Never/.test(page.html); tries++) {
      await sleep(100);
      page = await browser.open('/as/dashboard');
    }
    expect(page.html).toMatch(/Last used\s*<\/dt>\s*<dd>\s*\d/);
  });

  it('keys that the one rotates are known at the other before and when they sign', async () => {
    const { accessToken, refreshToken } = await first.access(tpp, 'saver');
    await first.server.keys.rotate();
    await sleep(100);
    first.clock.advance(5 * 60_000 + 1);
    await first.server.keys.load();
    const { access_token: fresh } = await tpp.refresh(refreshToken);
    first.clock.advance(-(5 * 60_000 + 1));
    expect(decodeProtectedHeader(fresh).kid).not.toBe(decodeProtectedHeader(accessToken).kid);
    expect([await atSecond(fresh), await atSecond(accessToken)]).toEqual([200, 200]);
  });
});
