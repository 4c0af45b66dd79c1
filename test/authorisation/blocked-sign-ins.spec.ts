import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { derivedKey } from '../../src/authorisation-server/sealing.js';
import { defaultSignIn } from '../../src/config/config.js';
import { FakeClock } from '../support/fake-clock.js';
import { realNowMs } from '../support/real-time.js';
import { minuteMs } from '../support/stack.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { AuthorisationSetting } from './setting.js';

describe('a sign-in that a limit blocks', () => {
  const clock = new FakeClock(realNowMs());
  const database = new WatchedDatabase();
  let setting: AuthorisationSetting;
  beforeAll(async () => {
    const signIn = { ...defaultSignIn, addressStarts: 3, proxies: ['127.0.0.0/8'] };
    setting = await AuthorisationSetting.start({
      clock,
      persistence: database.module,
      authorisationServer: { signIn },
    });
  });
  afterAll(() => setting.close());
  // Each test begins where nothing counts any more, and nothing is kept.
  beforeEach(async () => {
    clock.advance(20 * minuteMs);
    await database.prisma.$transaction([
      database.prisma.limitCount.deleteMany(),
      database.prisma.customerJourney.deleteMany(),
    ]);
  });

  /** The number of rows of journeys and of counts. */
  const rows = async (): Promise<readonly [journeys: number, counts: number]> => [
    await database.prisma.customerJourney.count(),
    await database.prisma.limitCount.count(),
  ];
  async function begin(address: string, loginName: string, password = 'wrong'): Promise<number> {
    const browser = setting.browser();
    browser.headers = { 'x-forwarded-for': address };
    const page = await browser.open('/as/dashboard');
    return (await browser.submit(page, { login_name: loginName, password }, 'sign-in')).status;
  }

  it('by its source address leaves no row, whatever login name it is for', async () => {
    for (let start = 0; start < 3; start++) expect(await begin('203.0.113.1', `name-${start}`)).toBe(200);
    const before = await rows();
    expect(before).toEqual([3, 4]);
    for (let start = 3; start < 20; start++) expect(await begin('203.0.113.1', `name-${start}`)).toBe(429);
    expect(await rows()).toEqual(before);
  });

  it('by its login name leaves no row, wherever it comes from', async () => {
    for (let start = 0; start < 3; start++) expect(await begin(`203.0.113.${start}`, 'saver')).toBe(200);
    const before = await rows();
    expect(before).toEqual([3, 4]);
    for (let start = 3; start < 20; start++) expect(await begin(`2001:db8:${start}:1::1`, 'saver')).toBe(429);
    expect(await rows()).toEqual(before);
  });

  it('leaves no more rows when many arrive at once', async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, start) => begin('203.0.113.1', `name-${start}`)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(await rows()).toEqual([3, 4]);
  });

  it('by its source address does not count for the login name: the customer can begin elsewhere at once', async () => {
    for (let start = 0; start < 3; start++) await begin('203.0.113.1', `name-${start}`);
    for (let start = 0; start < 9; start++) expect(await begin('203.0.113.1', 'saver')).toBe(429);
    expect(await begin('203.0.113.2', 'saver')).toBe(200);
  });

  it('leaves counts that reveal neither login name nor address', async () => {
    await begin('203.0.113.1', 'saver');
    const kept = await database.prisma.limitCount.findMany();
    const key = derivedKey(setting.listeners.keyEncryptionKey, 'sign-in attempts');
    const hashes = ['name:saver', 'address:203.0.113.1'].map((subject) =>
      createHmac('sha256', key).update(subject).digest('base64url'),
    );
    expect(kept.map(({ subject, part }) => [subject, part]).sort()).toEqual(hashes.map((hash) => [hash, '']).sort());
  });

  it('leaves no count of a sign-in that succeeded', async () => {
    const browser = setting.browser();
    browser.headers = { 'x-forwarded-for': '2001:db8:1:1::1' };
    await setting.signIn(browser, await browser.open('/as/dashboard'), 'saver');
    expect(await database.prisma.limitCount.count()).toBe(0);
  });

  describe('in IPv6', () => {
    it('was one of more than three of a /64, or of 24 of a /48, in whichever of its 65,536 /64s', async () => {
      const granted: string[] = [];
      for (let network = 0; network < 40; network++) {
        const address = `2001:db8:7:${network.toString(16)}::1`;
        if ((await begin(address, `name-${network}`)) === 200) granted.push(address);
      }
      expect(granted).toHaveLength(24);
      expect(await rows()).toEqual([24, 24 + 24 + 1]);
      // Another /48.
      const statuses = [];
      for (let start = 0; start < 4; start++) statuses.push(await begin(`2001:db8:8:1::${start}`, `other-${start}`));
      expect(statuses).toEqual([200, 200, 200, 429]);
      clock.advance(15 * minuteMs);
      expect(await begin('2001:db8:7:1::1', 'name')).toBe(200);
    });
  });
});
