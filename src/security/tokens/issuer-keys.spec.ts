import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { errors, type FlattenedJWSInput, type JWTHeaderParameters } from 'jose';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { RemoteKeys } from './issuer-keys.js';
import { IssuerUnreachable } from './token-issuer.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const token = {} as FlattenedJWSInput;

describe('the keys of an issuer', () => {
  let clock: FakeClock;
  let published: string[];
  let unreachable: boolean;
  let asked: number;
  let keys: RemoteKeys;

  beforeEach(() => {
    clock = new FakeClock(Date.parse('2026-06-15T12:00:00Z'));
    published = ['first'];
    unreachable = false;
    asked = 0;
    keys = new RemoteKeys(async () => {
      asked++;
      if (unreachable) throw new Error('unreachable');
      const known = [...published];
      return (header: JWTHeaderParameters) => {
        if (!known.includes(header.kid ?? '')) throw new errors.JWKSNoMatchingKey();
        return new TextEncoder().encode(header.kid);
      };
    }, clock);
  });

  const find = async (kid: string): Promise<string> => {
    try {
      return new TextDecoder().decode((await keys.find({ alg: 'PS256', kid }, token)) as Uint8Array);
    } catch (error) {
      return (error as Error).constructor.name;
    }
  };
  /** Lets the background work of a request continue. */
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('are fetched once for many simultaneous requests, and again in the background when they are five minutes old', async () => {
    expect(await Promise.all([find('first'), find('first'), find('first')])).toEqual(['first', 'first', 'first']);
    expect(asked).toBe(1);
    clock.advance(5 * minuteMs - 1);
    await find('first');
    expect(asked).toBe(1);
    clock.advance(1);
    published = ['second'];
    expect(await find('first')).toBe('first');
    await settle();
    expect([asked, await find('first'), await find('second')]).toEqual([2, 'JWKSNoMatchingKey', 'second']);
  });

  it('that cannot be renewed are named in the log, with the fault', async () => {
    const told: unknown[][] = [];
    Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn: (...said) => void told.push(said) });
    await find('first');
    unreachable = true;
    clock.advance(5 * minuteMs);
    await find('first');
    await settle();
    Logger.overrideLogger(true);
    expect(told).toEqual([
      [expect.stringMatching(/could not be renewed/), expect.any(IssuerUnreachable), expect.any(String)],
    ]);
  });

  it('stay in use for one day while the issuer is unreachable', async () => {
    await find('first');
    unreachable = true;
    for (let hour = 1; hour < 24; hour++) {
      clock.advance(hourMs);
      expect(await find('first')).toBe('first');
      await settle();
    }
    clock.advance(hourMs - 1);
    expect(await find('first')).toBe('first');
    await settle();
    clock.advance(1);
    expect(await find('first')).toBe(IssuerUnreachable.name);
    unreachable = false;
    expect(await find('first')).toBe('first');
  });

  it('are fetched at once when a token names an unknown key, at most every ten seconds', async () => {
    await find('first');
    clock.advance(10_000);
    published = ['first', 'second'];
    expect(await find('second')).toBe('second');
    expect(asked).toBe(2);
    for (let index = 0; index < 100; index++) expect(await find(`invented-${index}`)).toBe('JWKSNoMatchingKey');
    expect(asked).toBe(2);
    clock.advance(10_000);
    expect(await find('invented')).toBe('JWKSNoMatchingKey');
    expect(asked).toBe(3);
  });

  it('cannot prove that an unknown key is invalid while the issuer is unreachable', async () => {
    await find('first');
    clock.advance(10_000);
    unreachable = true;
    expect(await find('second')).toBe(IssuerUnreachable.name);
    // The gateway does not ask again within ten seconds, and it does not decide either.
    expect(await find('second')).toBe(IssuerUnreachable.name);
    expect(asked).toBe(2);
    expect(await find('first')).toBe('first');
  });

  it('that were never fetched are fetched by each request, because the gateway cannot verify its token without them', async () => {
    unreachable = true;
    expect(await find('first')).toBe(IssuerUnreachable.name);
    unreachable = false;
    expect(await find('first')).toBe('first');
  });

  it('come from the fetch that is already under way when a token names an unknown key', async () => {
    await find('first');
    clock.advance(6 * minuteMs);
    published = ['first', 'second'];
    expect(await Promise.all([find('first'), find('second')])).toEqual(['first', 'second']);
    expect(asked).toBe(2);
  });
});
