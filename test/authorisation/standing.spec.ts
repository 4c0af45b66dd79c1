import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { defaultSignIn } from '../../src/config/config.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { text, type Browser, type Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import type { TestTpp } from './tpp.js';

interface OpenJourney {
  readonly tpp: TestTpp;
  readonly consentId: string;
  readonly browser: Browser;
  readonly page: Page;
}

const credentials = { login_name: 'saver', password: 'saver-password' };

describe('the customer of a TPP that loses its standing during the journey', () => {
  const database = new WatchedDatabase();
  let setting: AuthorisationSetting;
  beforeAll(async () => {
    const signIn = { ...defaultSignIn, starts: 100, freeStarts: 100, addressStarts: 200 };
    setting = await AuthorisationSetting.start({ persistence: database.module, authorisationServer: { signIn } });
  });
  afterAll(() => setting.close());

  const bank = async (path: string): Promise<void> => {
    expect((await setting.stack.report(path, {})).status).toBe(200);
  };
  /** Each way to lose it. */
  const losses: readonly [how: string, lose: (clientId: string) => Promise<unknown>][] = [
    ['the bank suspends', (clientId) => bank(`/tpps/${clientId}/suspend?issuer=embedded`)],
    ['an operator deletes', (clientId) => setting.server.tpps.remove(clientId)],
    [
      'the directory no longer knows',
      async (clientId) => {
        const { tpps } = setting.server;
        const tpp = await tpps.find(clientId);
        if (tpp !== undefined) await tpps.recordDirectoryAnswer(tpp, undefined);
      },
    ],
  ];

  let made = 0;
  async function newTpp(): Promise<TestTpp> {
    const clientId = `tpp-${++made}`;
    const tpp = await setting.stranger(clientId);
    const software = {
      softwareId: clientId,
      organisationId: 'organisation',
      statement: new UnsecuredJWT({ software_roles: ['AISP'] }).encode(),
    };
    await setting.server.tpps.enrol({ ...tpp.registration, software });
    return tpp;
  }
  async function open(tpp: TestTpp, consentId: string): Promise<OpenJourney> {
    const browser = setting.browser();
    return { tpp, consentId, browser, page: await browser.open((await tpp.begin(consentId)).url) };
  }
  async function begin(): Promise<OpenJourney> {
    const tpp = await newTpp();
    return open(tpp, await tpp.createConsent(defaultPermissions));
  }
  const consentOf = async ({ consentId }: OpenJourney): Promise<Record<string, unknown>> =>
    (await setting.stack.report(`/consents/${consentId}`)).json as Record<string, unknown>;
  const isListed = async ({ consentId }: OpenJourney): Promise<boolean> => {
    const { customerRef } = setting.person('saver');
    return (await setting.stack.report(`/customers/${customerRef}/consents`)).body.includes(consentId);
  };
  function expectNotice(page: Page, { tpp }: OpenJourney): void {
    expect([page.status, text(page.html)]).toEqual([
      403,
      expect.stringContaining(`shares nothing with The ${tpp.clientId} app`),
    ]);
    expect(page.html).toContain('<a class="button main" href="/as/dashboard">');
  }
  /** Has the TPP lose its standing after every check, just before the statement that gives the access. */
  function loseAtTheLastMoment(lose: (clientId: string) => Promise<unknown>, { tpp }: OpenJourney): void {
    database.before = (statement) => {
      if (!/UPDATE consents/.test(statement)) return undefined;
      database.before = () => undefined;
      return lose(tpp.clientId);
    };
  }

  describe.each(losses)('because %s it', (_how, lose) => {
    it('is refused before the password: no code is sent', async () => {
      const journey = await begin();
      await lose(journey.tpp.clientId);
      const { started } = setting.customers;
      expectNotice(await journey.browser.submit(journey.page, credentials), journey);
      expect(setting.customers.started).toBe(started);
      expectNotice(await journey.browser.open(journey.page.url), journey);
    });

    it('is refused before the bank checks the code, and gets no other one', async () => {
      const journey = await begin();
      const codePage = await journey.browser.submit(journey.page, credentials);
      await lose(journey.tpp.clientId);
      const { checked, started } = setting.customers;
      expectNotice(await journey.browser.submit(codePage, { code: '246810' }), journey);
      expectNotice(await journey.browser.submit(codePage, { decision: 'send-again' }), journey);
      expect([setting.customers.checked, setting.customers.started]).toEqual([checked, started]);
      expectNotice(await journey.browser.open(codePage.url), journey);
    });

    it('is refused at the decision, whatever it is: the consent stays as it was', async () => {
      const journey = await begin();
      const { browser } = journey;
      const choice = await setting.signIn(browser, journey.page, 'saver');
      await lose(journey.tpp.clientId);
      for (const decision of ['approve', 'deny', 'cancel', 'select-all'])
        expectNotice(await browser.submit(choice, { account: offeredKeys(choice), decision }), journey);
      expectNotice(await browser.open(choice.url), journey);
      expect([(await consentOf(journey))['Status'], await isListed(journey)]).toEqual(['awaiting', false]);
    });

    it('gives nothing where that happens just before the access is written', async () => {
      const journey = await begin();
      const choice = await setting.signIn(journey.browser, journey.page, 'saver');
      loseAtTheLastMoment(lose, journey);
      const answer = await journey.browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
      expectNotice(answer, journey);
      expect([(await consentOf(journey))['Status'], await isListed(journey)]).toEqual(['awaiting', false]);
    });

    it('confirms nothing of an access that was given before, at the page or just before it is written', async () => {
      const tpp = await newTpp();
      const { consentId } = await setting.access(tpp, 'saver');
      const [journey, other] = [await open(tpp, consentId), await open(tpp, consentId)];
      const before = await consentOf(journey);
      const approvals = [];
      for (const { browser, page } of [journey, other]) approvals.push(await setting.signIn(browser, page, 'saver'));
      const [first, second] = approvals as [Page, Page];
      loseAtTheLastMoment(lose, journey);
      expectNotice(await journey.browser.submit(first, { decision: 'approve' }), journey);
      expectNotice(await other.browser.submit(second, { decision: 'approve' }), other);
      expect(await consentOf(journey)).toEqual(before);
    });

    it('is not led back to it after the approval', async () => {
      const journey = await begin();
      const { browser } = journey;
      const choice = await setting.signIn(browser, journey.page, 'saver');
      browser.follows = (url) => !url.pathname.startsWith('/as/authorize/');
      const approved = await browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
      expect([approved.status, (await consentOf(journey))['Status']]).toEqual([303, 'authorised']);
      await lose(journey.tpp.clientId);
      for (let opened = 0; opened < 2; opened++) expectNotice(await browser.open(approved.url), journey);
    });
  });

  it('goes on where it was when the TPP is reinstated', async () => {
    const journey = await begin();
    const { browser, tpp } = journey;
    const choice = await setting.signIn(browser, journey.page, 'saver');
    await bank(`/tpps/${tpp.clientId}/suspend?issuer=embedded`);
    const answer = { account: offeredKeys(choice), decision: 'approve' };
    expectNotice(await browser.submit(choice, answer), journey);
    await bank(`/tpps/${tpp.clientId}/reinstate?issuer=embedded`);
    expect((await browser.submit(choice, answer)).url.pathname).toBe('/callback');
    expect((await consentOf(journey))['Status']).toBe('authorised');
  });

  it('is asked for nothing after the bank revoked all consents of the TPP', async () => {
    const journey = await begin();
    const { browser, page, tpp } = journey;
    const atCode = await open(tpp, await tpp.createConsent(defaultPermissions));
    const codePage = await atCode.browser.submit(atCode.page, credentials);
    await bank(`/tpps/${tpp.clientId}/revoke-consents?issuer=embedded`);
    const { started, checked } = setting.customers;
    for (const answer of [
      await browser.submit(page, credentials),
      await atCode.browser.submit(codePage, { code: '246810' }),
    ])
      expect([answer.status, text(answer.html)]).toEqual([409, expect.stringContaining('answered already')]);
    expect([setting.customers.started, setting.customers.checked]).toEqual([started, checked]);
    expect((await consentOf(journey))['Status']).toBe('rejected');
  });

  it('is not approved where the bank revokes all consents just before the access is written', async () => {
    const journey = await begin();
    const choice = await setting.signIn(journey.browser, journey.page, 'saver');
    loseAtTheLastMoment((clientId) => bank(`/tpps/${clientId}/revoke-consents?issuer=embedded`), journey);
    const answer = await journey.browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    expect([answer.status, (await consentOf(journey))['Status']]).toEqual([409, 'rejected']);
  });
});
