import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:tls';
import { pseudonymOfCustomer } from '../../src/trail/pseudonyms.js';
import { eventsOf } from '../support/read-trail.js';
import { trailKeys } from '../support/trail-keys.js';
import { until } from '../support/until.js';
import type { Browser, Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import type { TestTpp } from './tpp.js';

describe('the trail of authorisations', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());

  const directory = (): string => setting.stack.config.trail.directory;
  const stepsOf = async (consent: string, count: number): Promise<unknown[]> => {
    let found: unknown[] = [];
    await until(async () => {
      found = (await eventsOf(directory(), 'authorisation'))
        .filter((event) => event.consent === consent)
        .map(({ step, reason, customer, issuer, tpp: client, interactionId }) => {
          expect([issuer, client, interactionId]).toEqual(['embedded', 'tpp-one', expect.any(String)]);
          return [step, ...(reason === undefined ? [] : [reason]), ...(customer === undefined ? [] : [customer])];
        });
      return found.length >= count;
    });
    return found;
  };
  const arrive = async (): Promise<{ consentId: string; browser: Browser; page: Page }> => {
    const consentId = await tpp.createConsent(defaultPermissions);
    const browser = setting.browser();
    return { consentId, browser, page: await browser.open((await tpp.begin(consentId)).url) };
  };
  const saver = (): string => pseudonymOfCustomer(trailKeys.PSEUDONYM_KEY, setting.person('saver').customerRef);

  it('has the steps of an approval, with the customer once that is decided, and the change of the consent', async () => {
    const { consentId } = await setting.access(tpp, 'saver');
    expect(await stepsOf(consentId, 2)).toEqual([['begun'], ['approved', saver()]]);
    const changes = (await eventsOf(directory(), 'consent')).filter(({ consent }) => consent === consentId);
    expect(changes).toMatchObject([
      { event: 'created', by: 'tpp' },
      { event: 'authorised', by: 'customer', customer: saver(), accounts: expect.any(Number) },
    ]);
  });

  it('has failed sign-ins with their reason, and a refusal', async () => {
    const { consentId, browser, page } = await arrive();
    const codePage = await browser.submit(page, { login_name: 'saver', password: 'wrong' });
    await browser.submit(codePage, { code: '000000' });
    const steps = await stepsOf(consentId, 2);
    expect(steps.slice(0, 2)).toEqual([['begun'], ['sign-in-failed', 'sign-in-wrong']]);
    const other = await arrive();
    const decided = await setting.signIn(other.browser, other.page, 'saver');
    await other.browser.submit(decided, { decision: 'deny' });
    expect(await stepsOf(other.consentId, 2)).toEqual([['begun'], ['refused', 'customer-refused', saver()]]);
  });

  it('has a customer who went back to the TPP', async () => {
    const left = await arrive();
    const choice = await setting.signIn(left.browser, left.page, 'saver');
    expect(offeredKeys(choice).length).toBeGreaterThan(0);
    await left.browser.submit(choice, { decision: 'cancel' });
    expect(await stepsOf(left.consentId, 2)).toEqual([['begun'], ['abandoned', 'customer-left']]);
    const steps = await eventsOf(directory(), 'authorisation');
    expect(steps.find(({ consent, step }) => consent === left.consentId && step === 'abandoned')).toMatchObject({
      stage: 'accounts',
    });
  });

  it('names the listener of each request, and of the authorization server’s the fixed part of a path only', async () => {
    const { consentId } = await setting.access(tpp, 'saver');
    await until(async () => (await eventsOf(directory(), 'request')).some(({ endpoint }) => endpoint === '/as/token'));
    const requests = await eventsOf(directory(), 'request');
    const seen = new Set(requests.map(({ listener, endpoint }) => `${listener} ${endpoint}`));
    expect(seen).toContain('tpps /as/token');
    expect([...seen].some((one) => one.startsWith('customers /as/'))).toBe(true);
    expect([...seen].filter((one) => one.includes(':'))).toEqual([]);
    expect(requests.find(({ endpoint }) => endpoint === '/as/token')).toMatchObject({
      issuer: 'embedded',
      tpp: 'tpp-one',
      status: 200,
      bytes: expect.any(Number),
    });
    expect(consentId).toMatch(/^aac-/);
  });

  it('has a handshake that TLS refused, with its cause', async () => {
    const { port } = new URL(setting.listeners.tpp.url);
    await new Promise<void>((resolve) => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
      socket.on('error', () => undefined).on('close', () => resolve());
    });
    const handshakes = async () =>
      (await eventsOf(directory(), 'request')).filter(({ reason }) => reason === 'tls-refused');
    await until(async () => (await handshakes()).length > 0);
    const refused = await handshakes();
    expect(refused).toMatchObject([{ listener: 'tpps', facts: { tls: expect.stringMatching(/^ERR_SSL_\w+$/) } }]);
    expect(refused[0]).not.toHaveProperty('status');
  });
});

describe('the trail of authorisations that expire', () => {
  it('has once, with the page, each customer who closed the browser, and none who decided', async () => {
    const setting = await AuthorisationSetting.start();
    const tpp = await setting.tpp('tpp-one');
    const arrive = async () => {
      const consentId = await tpp.createConsent(defaultPermissions);
      const browser = setting.browser();
      return { consentId, browser, page: await browser.open((await tpp.begin(consentId)).url) };
    };
    const [atSignIn, atAccounts] = [await arrive(), await arrive()];
    await setting.signIn(atAccounts.browser, atAccounts.page, 'saver');
    await setting.access(tpp, 'saver');
    setting.clock.advance(60 * 60_000 + 1_000);
    await Promise.all([setting.server.runPeriodicWork(), setting.server.runPeriodicWork()]);
    await setting.server.runPeriodicWork();
    const expired = async () =>
      (await eventsOf(setting.stack.config.trail.directory, 'authorisation')).filter(
        ({ step }) => step === 'abandoned',
      );
    await until(async () => (await expired()).length >= 2);
    const facts = { issuer: 'embedded', tpp: 'tpp-one', reason: 'customer-never-returned' };
    const found = (await expired()).toSorted((one, other) => (String(one.stage) < String(other.stage) ? -1 : 1));
    expect(found).toMatchObject([
      { ...facts, consent: atAccounts.consentId, stage: 'accounts' },
      { ...facts, consent: atSignIn.consentId, stage: 'sign-in' },
    ]);
    await setting.close();
  });
});
