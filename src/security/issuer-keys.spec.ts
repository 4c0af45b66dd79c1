import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { errors, type FlattenedJWSInput, type JWTHeaderParameters } from 'jose';
import { FakeClock } from '../../test/support/fake-clock.js';
import { RemoteKeys } from './issuer-keys.js';
import { IssuerUnreachable } from './token-issuer.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const token = {} as FlattenedJWSInput;

describe('the keys of an issuer', () => {
  let clock: FakeClock;
  let published: string[];
  let away: boolean;
  let asked: number;
  let keys: RemoteKeys;

  beforeEach(() => {
    clock = new FakeClock(Date.parse('2026-06-15T12:00:00Z'));
    published = ['first'];
    away = false;
    asked = 0;
    keys = new RemoteKeys(async () => {
      asked++;
      if (away) throw new Error('away');
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
  /** Lets the work beside a request go on. */
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('are asked for once by many requests at a time, and again when they are five minutes old, beside the request', async () => {
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

  it('that cannot be renewed are named in the log, by what failed', async () => {
    const told: unknown[][] = [];
    Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn: (...said) => void told.push(said) });
    await find('first');
    away = true;
    clock.advance(5 * minuteMs);
    await find('first');
    await settle();
    Logger.overrideLogger(true);
    expect(told).toEqual([
      [expect.stringMatching(/could not be renewed/), expect.any(IssuerUnreachable), expect.any(String)],
    ]);
  });

  it('stay in use for a day while the issuer is away, and then no longer', async () => {
    await find('first');
    away = true;
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
    away = false;
    expect(await find('first')).toBe('first');
  });

  it('are looked for at once when a token names one that is not known, but not more often than every ten seconds', async () => {
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

  it('leave it open whether an unknown key is good while the issuer is away', async () => {
    await find('first');
    clock.advance(10_000);
    away = true;
    expect(await find('second')).toBe(IssuerUnreachable.name);
    // Not asked again so soon, but no judgement either.
    expect(await find('second')).toBe(IssuerUnreachable.name);
    expect(asked).toBe(2);
    expect(await find('first')).toBe('first');
  });

  it('that were never had are asked for by each request, because nothing can be answered without them', async () => {
    away = true;
    expect(await find('first')).toBe(IssuerUnreachable.name);
    away = false;
    expect(await find('first')).toBe('first');
  });

  it('wait for an answer that is on its way when a token names one that is not known', async () => {
    await find('first');
    clock.advance(6 * minuteMs);
    published = ['first', 'second'];
    expect(await Promise.all([find('first'), find('second')])).toEqual(['first', 'second']);
    expect(asked).toBe(2);
  });
});
