import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { InjectOptions } from 'fastify';
import { RateLimit } from '../../src/security/rate-limit.js';
import { bankCredential, minuteMs, Stack } from '../support/stack.js';
import { WatchedDatabase } from '../support/watched-database.js';

const next = 'the-next-bank-credential-0123456789abcdef';
const list = '/bank/v1/customers/C1001/consents';
const atOnce = 10;

describe('the credential of the bank’s port', () => {
  const database = new WatchedDatabase();
  let stack: Stack;
  let atMs: number;
  let time: { mockRestore(): void };
  beforeAll(async () => {
    stack = await Stack.start({ config: { bankCredentials: [bankCredential, next] }, persistence: database.module });
  });
  // The clock that the library of the token buckets reads.
  beforeEach(() => {
    atMs = Math.ceil(performance.now());
    time = jest.spyOn(performance, 'now').mockImplementation(() => atMs);
  });
  afterEach(() => time.mockRestore());
  afterAll(() => stack.close());

  const ask = async (credential: string | undefined, remoteAddress: string, url = list): Promise<[number, unknown]> => {
    const headers = credential === undefined ? {} : { authorization: `Bearer ${credential}` };
    const request: InjectOptions = { method: 'GET', url, headers, remoteAddress };
    const answer = await stack.gateway.bankServer.inject(request);
    return [answer.statusCode, answer.headers['retry-after']];
  };
  const guess = async (times: number, address: string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let time = 0; time < times; time++) statuses.push((await ask(`guess-${time}`, address))[0]);
    return statuses;
  };

  it('may be either of two while the second replaces the first', async () => {
    expect(await ask(bankCredential, '10.0.0.1')).toEqual([200, undefined]);
    expect(await ask(next, '10.0.0.1')).toEqual([200, undefined]);
    for (const wrong of [`${next}x`, next.slice(1), `${bankCredential}${next}`])
      expect(await ask(wrong, '10.0.0.1')).toEqual([401, undefined]);
  });

  it('may be guessed ten times from one address, and then once in six seconds', async () => {
    for (const address of ['10.0.0.2', '10.0.0.9']) {
      expect(await guess(atOnce, address)).toEqual(Array(atOnce).fill(401));
      expect(await ask('guess', address)).toEqual([429, '6']);
    }
    atMs += 5_999;
    expect(await ask('guess', '10.0.0.2')).toEqual([429, '1']);
    atMs += 1;
    expect(await guess(2, '10.0.0.9')).toEqual([401, 429]);
  });

  it('has the same limit of guesses for one IPv6 network, whatever the addresses in it', async () => {
    for (let time = 0; time < atOnce; time++) await ask('guess', `2001:db8:0:1::${time.toString(16)}`);
    expect(await ask('guess', '2001:db8:0:1:ffff::1')).toEqual([429, '6']);
    expect(await ask('guess', '2001:db8:0:2::1')).toEqual([401, undefined]);
  });

  it('that is right is accepted at once, after any number of wrong ones from its address', async () => {
    await guess(atOnce + 1, '10.0.0.3');
    for (const right of [bankCredential, next]) expect(await ask(right, '10.0.0.3')).toEqual([200, undefined]);
    expect(await ask('guess', '10.0.0.3')).toEqual([429, '6']);
    expect(await ask(undefined, '10.0.0.3', '/health/live')).toEqual([200, undefined]);
  });

  it('lets the bank withdraw an access while another program behind the same proxy sends wrong ones', async () => {
    const { consentId } = await stack.consent({ persona: 'saver' });
    const body = { method: 'POST', remoteAddress: '10.0.0.7', payload: {} } as const;
    const url = `/bank/v1/consents/${consentId}/revoke`;
    for (let time = 0; time < 3 * atOnce; time++) {
      await ask('of-another-system', '10.0.0.7');
      atMs += 1_000;
    }
    expect((await ask('of-another-system', '10.0.0.7'))[0]).toBe(429);
    const headers = { authorization: `Bearer ${bankCredential}` };
    expect((await stack.gateway.bankServer.inject({ ...body, url, headers })).statusCode).toBe(200);
  });

  it('that is wrong asks the database no oftener than it may be guessed, while operators who were here are let in', async () => {
    const admin = await stack.report('/operators', { name: 'anna', role: 'admin' });
    const anna: string = admin.json.Credential;
    expect((await ask(anna, '10.0.0.10', '/bank/v1/operators'))[0]).toBe(200);
    database.statements.length = 0;
    const wrong = `anna.${'x'.repeat(43)}`;
    const statuses = await Promise.all(Array.from({ length: 300 }, () => ask(wrong, '10.0.0.10')));
    expect(statuses.filter(([status]) => status === 401)).toHaveLength(atOnce);
    expect(database.statements).toEqual(Array(atOnce).fill('operator.findUnique'));
    expect((await ask(anna, '10.0.0.10', '/bank/v1/operators'))[0]).toBe(200);
    expect((await ask(wrong, '10.0.0.10'))[0]).toBe(429);
  });

  it('does not count as a guess where it is right or absent', async () => {
    for (let time = 0; time < 3 * atOnce; time++) {
      expect((await ask(bankCredential, '10.0.0.5'))[0]).toBe(200);
      expect((await ask(undefined, '10.0.0.5'))[0]).toBe(401);
    }
    expect(await guess(atOnce + 1, '10.0.0.5')).toEqual([...Array(atOnce).fill(401), 429]);
  });

  it('is refused in the form of every other error', async () => {
    await guess(atOnce, '10.0.0.6');
    const headers = { authorization: 'Bearer wrong' };
    const answer = await stack.gateway.bankServer.inject({ url: list, headers, remoteAddress: '10.0.0.6' });
    expect(JSON.parse(answer.body)).toMatchObject({
      Errors: [{ ErrorCode: 'too-many-requests' }],
      Message: 'This credential is wrong, and too many wrong ones came from this address: wait 6 seconds.',
    });
  });

  it('needs bounded memory for guesses from any number of addresses', () => {
    const guesses = new RateLimit('guesses', { perSecond: 1 / 6, burst: 1 });
    for (let address = 0; address < 10_001; address++) guesses.take(`address ${address}`);
    // The first address was forgotten, so it has a guess again. That drops the second one, and the third is still known.
    expect(guesses.take('address 0').admitted).toBe(true);
    expect(guesses.take('address 2')).toMatchObject({ admitted: false, retryAfterSeconds: 6 });
  });

  it('never allows more guesses than at first, and gains none while a clock goes back', async () => {
    await guess(atOnce, '10.0.0.8');
    atMs -= minuteMs;
    expect(await guess(1, '10.0.0.8')).toEqual([429]);
    atMs += 60 * minuteMs;
    expect(await guess(atOnce + 1, '10.0.0.8')).toEqual([...Array(atOnce).fill(401), 429]);
  });
});
