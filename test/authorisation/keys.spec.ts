import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { AuthorisationSetting } from './setting.js';
import type { TestTpp } from './tpp.js';

describe('the signing keys', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());

  const published = async (): Promise<string[]> => {
    const answer = await tpp.fetch(`${setting.places.issuer}/jwks`, { method: 'GET' } as never);
    const { keys } = (await answer.json()) as { keys: { kid: string; d?: string; alg: string }[] };
    expect(keys.filter(({ d }) => d !== undefined)).toEqual([]);
    return keys.map(({ kid }) => kid);
  };
  const read = async (token: string): Promise<number> => (await tpp.ask('/accounts', token)).status;

  it('rotate without a failed request: published first, signing later, and removed when all their tokens have expired', async () => {
    const before = await published();
    const access = await setting.access(tpp, 'saver');
    const old = decodeProtectedHeader(access.accessToken).kid;

    let failed = 0;
    /** Others use tokens meanwhile. The time does not jump then: an assertion that is on its way would be dead. */
    const underLoad = async <T>(work: () => Promise<T>): Promise<T> => {
      let stop = false;
      const load = (async () => {
        while (!stop)
          try {
            const { access_token: fresh } = await tpp.refresh(access.refreshToken);
            if ((await read(fresh)) !== 200) failed++;
          } catch {
            failed++;
          }
      })();
      try {
        return await work();
      } finally {
        stop = true;
        await load;
      }
    };
    const [during, { access_token: soon }] = await underLoad(async () => {
      await setting.server.keys.rotate();
      return [await published(), await tpp.refresh(access.refreshToken)];
    });
    setting.clock.advance(5 * 60_000 + 1);
    const { access_token: later } = await underLoad(async () => {
      await setting.server.keys.load();
      return tpp.refresh(access.refreshToken);
    });
    setting.clock.advance(-(5 * 60_000 + 1));

    expect(during).toEqual(expect.arrayContaining(before));
    expect(during.length).toBe(before.length + 2);
    expect(decodeProtectedHeader(soon).kid).toBe(old);
    expect(before).not.toContain(decodeProtectedHeader(later).kid);
    expect(during).toContain(decodeProtectedHeader(later).kid);
    expect([await read(access.accessToken), await read(later)]).toEqual([200, 200]);
    expect(failed).toBe(0);

    setting.clock.advance(3 * 3_600_000);
    await setting.server.keys.load();
    const after = await published();
    setting.clock.advance(-3 * 3_600_000);
    expect(after.filter((kid) => before.includes(kid))).toEqual([]);
    await setting.server.keys.load();
  });
});
