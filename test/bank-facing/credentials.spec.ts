import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { InjectOptions } from 'fastify';
import { allowanceAt, WrongCredentials } from '../../src/bank-facing/wrong-credentials.js';
import { bankCredential, minuteMs, Stack } from '../support/stack.js';

const next = 'the-next-bank-credential-0123456789abcdef';
const list = '/bank/v1/customers/C1001/consents';
const atOnce = 10;

describe('the credential of the bank’s port', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ config: { bankCredentialNext: next } });
  });
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

  it('may be either of two, while the one replaces the other', async () => {
    expect(await ask(bankCredential, '10.0.0.1')).toEqual([200, undefined]);
    expect(await ask(next, '10.0.0.1')).toEqual([200, undefined]);
    for (const wrong of [`${next}x`, next.slice(1), `${bankCredential}${next}`])
      expect(await ask(wrong, '10.0.0.1')).toEqual([401, undefined]);
  });

  it('is guessed ten times from one address, and then once in six seconds', async () => {
    expect(await guess(atOnce, '10.0.0.2')).toEqual(Array(atOnce).fill(401));
    expect(await ask('guess', '10.0.0.2')).toEqual([429, '6']);
    stack.clock.advance(5_999);
    expect(await ask('guess', '10.0.0.2')).toEqual([429, '1']);
    stack.clock.advance(1);
    expect(await guess(2, '10.0.0.2')).toEqual([401, 429]);
  });

  it('is guessed as often from one network of IPv6, whatever the addresses in it', async () => {
    for (let time = 0; time < atOnce; time++) await ask('guess', `2001:db8:0:1::${time.toString(16)}`);
    expect(await ask('guess', '2001:db8:0:1:ffff::1')).toEqual([429, '6']);
    expect(await ask('guess', '2001:db8:0:2::1')).toEqual([401, undefined]);
  });

  it('that is right tells nothing while its address has to wait, and is good at once from any other', async () => {
    await guess(atOnce, '10.0.0.3');
    expect(await ask(bankCredential, '10.0.0.3')).toEqual([429, '6']);
    expect(await ask(bankCredential, '10.0.0.4')).toEqual([200, undefined]);
    expect(await ask(undefined, '10.0.0.3', '/health/live')).toEqual([200, undefined]);
    stack.clock.advance(6_000);
    expect(await ask(bankCredential, '10.0.0.3')).toEqual([200, undefined]);
  });

  it('that is right or absent counts for nothing', async () => {
    for (let time = 0; time < 3 * atOnce; time++) {
      expect((await ask(bankCredential, '10.0.0.5'))[0]).toBe(200);
      expect((await ask(undefined, '10.0.0.5'))[0]).toBe(401);
    }
    expect(await guess(atOnce + 1, '10.0.0.5')).toEqual([...Array(atOnce).fill(401), 429]);
  });

  it('says so in the shape of every other error', async () => {
    await guess(atOnce, '10.0.0.6');
    const headers = { authorization: 'Bearer wrong' };
    const answer = await stack.gateway.bankServer.inject({ url: list, headers, remoteAddress: '10.0.0.6' });
    expect(JSON.parse(answer.body)).toMatchObject({
      Code: '429 TooManyRequests',
      Message: 'Too many wrong credentials came from this address: wait 6 seconds.',
    });
  });

  it('is searched for in bounded memory, by however many addresses', () => {
    const wrong = new WrongCredentials();
    for (let address = 0; address < 10_001; address++)
      for (let time = 0; time < atOnce; time++) wrong.count(`address ${address}`, 0);
    expect([wrong.waitSeconds('address 0', 0), wrong.waitSeconds('address 1', 0)]).toEqual([0, 6]);
  });

  it('saves up no more guesses than there are at first, and none while a clock goes back', () => {
    expect(allowanceAt({ left: 0, atMs: 0 }, 60 * minuteMs)).toBe(atOnce);
    expect(allowanceAt({ left: 3, atMs: 60_000 }, 0)).toBe(3);
  });
});
