import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { sandboxCommand } from '../support/sandbox-command.js';
import { Stack } from '../../sandbox/clients/stack.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { defaultSignIn } from '../../src/config/config.js';
import { FakeClock } from '../support/fake-clock.js';
import { realNowMs } from '../support/real-time.js';
import { bankCredential, minuteMs } from '../support/stack.js';
import { until } from '../support/until.js';
import { sortedCookie, text, type Browser, type Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';

const place = '/as/dashboard';

describe('a person who abuses the sign-in', () => {
  const clock = new FakeClock(realNowMs());
  const signIn = { ...defaultSignIn, addressStarts: 10, proxies: ['127.0.0.0/8'] };
  let setting: AuthorisationSetting;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ clock, authorisationServer: { signIn } });
  });
  afterAll(() => setting.close());
  // Each test begins where nothing counts any more.
  beforeEach(() => clock.advance(20 * minuteMs));

  let lastAddress = 0;
  /** An unknown browser, at a new address or at the given one. */
  function stranger(address = `2001:db8:0:${(++lastAddress).toString(16)}::1`, at = setting): Browser {
    const browser = at.browser();
    browser.headers = { 'x-forwarded-for': address };
    return browser;
  }
  async function begin(browser: Browser, loginName: string, password: string, where = place): Promise<Page> {
    return browser.submit(await browser.open(where), { login_name: loginName, password }, 'sign-in');
  }
  async function enter(browser: Browser, loginName: string): Promise<Page> {
    const code = await begin(browser, loginName, setting.person(loginName).password);
    return code.status === 200 ? browser.submit(code, { code: setting.person(loginName).code }) : code;
  }
  async function answerLate<T>({ customers }: AuthorisationSetting, work: () => Promise<T>): Promise<T> {
    customers.late = true;
    try {
      return await work();
    } finally {
      customers.late = false;
    }
  }
  const isIn = ({ html }: Page): boolean => html.includes('Who may look at your accounts');
  /** The same browser later: a new address, with the cookies by which it is known. */
  function sameDevice(browser: Browser): Browser {
    const later = stranger();
    for (const line of browser.cookieLines.filter((one) => one.startsWith('__Host-browser_'))) {
      const [name = '', value = ''] = line.split(/[=;]/);
      later.plant({ name, value, path: '/' });
    }
    return later;
  }

  it('sends a customer at most five codes in 15 minutes, over journeys and the dashboard, at once or one by one', async () => {
    // The requests of a TPP end by the library's clock, so this clock has to agree with it at first.
    const ownClock = new FakeClock(realNowMs());
    const own = await AuthorisationSetting.start({ clock: ownClock, authorisationServer: { signIn } });
    try {
      const tpp = await own.tpp('tpp-one');
      const requests: string[] = [];
      for (let asked = 0; asked < 6; asked++)
        requests.push((await tpp.begin(await tpp.createConsent(defaultPermissions))).url.href);
      const { password } = own.person('joint');
      const places = [...requests, ...requests.map(() => place)];
      await Promise.all(places.map((where) => begin(stranger(undefined, own), 'joint', password, where)));
      expect(own.customers.started).toBe(3);
      for (let minute = 1; minute < 15; minute++) {
        ownClock.advance(minuteMs);
        await begin(stranger(undefined, own), 'joint', password);
      }
      expect(own.customers.started).toBe(5);
      ownClock.advance(minuteMs);
      expect(isIn(await enter(stranger(undefined, own), 'joint'))).toBe(true);
    } finally {
      await own.close();
    }
  });

  it.each<[string, (own: AuthorisationSetting, page: Page, browser: Browser) => Promise<unknown>]>([
    ['the code of a sign-in', async () => undefined],
    ['the check of a code', async (own, page, browser) => answerLate(own, () => browser.submit(page, { code: '1' }))],
    [
      'another code',
      async (own, page, browser) => answerLate(own, () => browser.submit(page, { decision: 'send-again' })),
    ],
  ])(
    'sends a customer at most five codes in 15 minutes while the bank sends them and answers late: %s',
    async (what, then) => {
      const own = await AuthorisationSetting.start({ clock, authorisationServer: { signIn } });
      try {
        const { password } = own.person('joint');
        for (let minute = 0; minute < 15; minute++) {
          const browser = stranger(undefined, own);
          own.customers.late = what === 'the code of a sign-in';
          const page = await begin(browser, 'joint', password);
          own.customers.late = false;
          if (page.html.includes('name="code"')) await then(own, page, browser);
          clock.advance(minuteMs);
        }
        expect(own.customers.started).toBe(5);
      } finally {
        await own.close();
      }
    },
  );

  it('sends a customer three codes at one moment while the bank sends them and answers late', async () => {
    const before = setting.customers.started;
    await answerLate(setting, () =>
      Promise.all(Array.from({ length: 12 }, () => begin(stranger(), 'joint', setting.person('joint').password))),
    );
    expect(setting.customers.started - before).toBe(3);
  });

  it('sees the same answer to a right password, a wrong one and an unknown name, except for random tokens', async () => {
    const seen: unknown[] = [];
    for (const [loginName, password] of [
      ['cards', 'cards-password'],
      ['saver', 'wrong'],
      ['nobody', 'nothing'],
    ] as const) {
      const answers: unknown[] = [];
      for (let start = 0; start < 8; start++) {
        const { status, html, headers } = await begin(stranger(), loginName, password);
        const names = [...headers.keys()].filter((name) => name !== 'content-length');
        answers.push([status, text(html), names]);
        if (start > 4) clock.advance(minuteMs);
      }
      seen.push(answers);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });

  it('cannot lock a customer out by the login name alone', async () => {
    const known = stranger();
    expect(isIn(await enter(known, 'saver'))).toBe(true);
    const delayed = async (): Promise<void> => {
      let status = 0;
      while (status !== 429) ({ status } = await begin(stranger(), 'saver', 'wrong'));
    };
    await delayed();
    // A browser in which the owner has signed in before: at once, at a shared address too.
    expect(isIn(await enter(sameDevice(known), 'saver'))).toBe(true);
    // Any other: after a delay, and not after a block.
    expect((await enter(stranger(), 'saver')).status).toBe(429);
    clock.advance(minuteMs);
    expect(isIn(await enter(stranger(), 'saver'))).toBe(true);
  });

  it('has no more guesses with the cookie of a known browser than without, and takes none from others', async () => {
    const known = stranger();
    await enter(known, 'trader');
    const statuses = [];
    for (let start = 0; start < 5; start++) statuses.push((await begin(sameDevice(known), 'trader', 'wrong')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(isIn(await enter(stranger(), 'trader'))).toBe(true);
    // It is valid for one name, and useless for another name.
    for (let start = 0; start < 3; start++) await begin(stranger(), 'cards', 'wrong');
    expect((await begin(sameDevice(known), 'cards', 'cards-password')).status).toBe(429);
  });

  describe('leaves a customer whom the bank frees', () => {
    const unlock = (loginName: unknown) => setting.stack.report('/sign-ins/unlock', { loginName });
    const blocked = async (make: () => Browser, loginName: string): Promise<void> => {
      let status = 0;
      while (status !== 429) ({ status } = await begin(make(), loginName, 'wrong'));
    };

    it('to sign in at once, in a known browser and in any other, by whatever form of the login name', async () => {
      const known = stranger();
      expect(isIn(await enter(known, 'payer'))).toBe(true);
      await blocked(() => sameDevice(known), 'payer');
      await blocked(stranger, 'payer');
      expect(await unlock(' PAYER ')).toMatchObject({ status: 204, body: '' });
      expect(isIn(await enter(sameDevice(known), 'payer'))).toBe(true);
      expect(isIn(await enter(stranger(), 'payer'))).toBe(true);
    });

    it('to have another code where the customer waits for one', async () => {
      const browser = stranger();
      const { password, code } = setting.person('payer');
      let page = await begin(browser, 'payer', password);
      const sendAgain = async (): Promise<Page> => browser.submit(page, { decision: 'send-again' });
      for (let sent = 1; sent < 3; sent++) page = await sendAgain();
      const before = setting.customers.started;
      page = await sendAgain();
      expect(setting.customers.started).toBe(before);
      await unlock('payer');
      page = await sendAgain();
      expect(setting.customers.started).toBe(before + 1);
      expect(isIn(await browser.submit(page, { code }))).toBe(true);
    });

    it('by the sandbox’s command too, which frees no other customer and no address', async () => {
      const config = readSandboxConfig({
        BANK_PORT: String((setting.stack.gateway.bankServer.addresses()[0] as AddressInfo).port),
        BANK_CREDENTIAL: bankCredential,
      });
      const address = '2001:db8:ffff:3::1';
      for (const name of ['payer', 'saver']) await blocked(stranger, name);
      for (let start = 0; start < 10; start++) await begin(stranger(address), `other-${start}`, 'wrong');
      const { text: said } = await sandboxCommand(['unlock', 'payer'], new Stack(config));
      expect(said).toBe('payer can sign in at once');
      expect((await enter(stranger(address), 'payer')).status).toBe(429);
      expect((await enter(stranger(), 'saver')).status).toBe(429);
      expect(isIn(await enter(stranger(), 'payer'))).toBe(true);
    });

    it('without the name in the answer or the log; a request without a name is refused', async () => {
      const { log } = setting.stack;
      const before = log.length;
      const { 'x-fapi-interaction-id': _one, date: _then, ...headers } = (await unlock('payer')).headers;
      const { 'x-fapi-interaction-id': _other, date: _now, ...ofNobody } = (await unlock('nobody')).headers;
      expect(ofNobody).toEqual(headers);
      await until(() => log.length >= before + 2);
      expect(log.slice(before).join()).toContain('/bank/v1/sign-ins/unlock');
      expect(log.slice(before).join()).not.toMatch(/payer|nobody/);
      for (const loginName of [undefined, '', 7, 'x'.repeat(1_001)]) expect((await unlock(loginName)).status).toBe(400);
      expect((await setting.stack.report('/sign-ins/unlock', { loginName: 'payer' }, 'wrong')).status).toBe(401);
    });
  });

  it('is known as a browser for 90 days, over TLS only, by a value without the name', async () => {
    const known = stranger();
    await enter(known, 'calendar');
    const line = known.cookieLines.find((one) => one.startsWith('__Host-browser_')) ?? '';
    expect(sortedCookie(line).replace(/_[\w-]{12}=[\w-]{43};/, '_…=…;')).toBe(
      '__Host-browser_…=…; HttpOnly; Max-Age=7776000; Path=/; SameSite=Lax; Secure',
    );
    const tried = async (): Promise<number> => {
      for (let start = 0; start < 3; start++) await begin(stranger(), 'calendar', 'wrong');
      return (await begin(sameDevice(known), 'calendar', 'calendar-password')).status;
    };
    clock.advance(90 * 24 * 60 * minuteMs - 2_000);
    expect(await tried()).toBe(200);
    clock.advance(20 * minuteMs);
    expect(await tried()).toBe(429);
  });

  it('begins at most ten sign-ins from one address, whatever the names and the claimed addresses', async () => {
    const from = async (address: string, name: string): Promise<number> =>
      (await begin(stranger(address), name, 'wrong')).status;
    const first = [];
    for (let start = 0; start < 12; start++)
      first.push(await from(`198.51.100.${start}, 2001:db8:ffff:1::${start}`, `name-${start}`));
    expect(first).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
    expect(await from('2001:db8:ffff:2::1', 'name-12')).toBe(200);
    clock.advance(15 * minuteMs);
    expect(await from('2001:db8:ffff:1::1', 'name-0')).toBe(200);
  });

  it('cannot find out from an answer which limit was reached', async () => {
    const answers: unknown[] = [];
    const keep = ({ status, html, headers }: Page): void => {
      if (status === 429) answers.push([text(html), [...headers.keys()], headers.get('content-length')]);
    };
    for (let start = 0; start < 4; start++) keep(await begin(stranger(), 'saver', 'wrong'));
    for (let start = 0; start < 11; start++) keep(await begin(stranger('203.0.113.7'), `other-${start}`, 'wrong'));
    expect(answers).toHaveLength(2);
    expect(answers[1]).toEqual(answers[0]);
  });
});
