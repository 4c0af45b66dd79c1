import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { defaultClaims } from '../../src/config/config.js';
import { IssuerClient } from '../../src/security/tokens/issuer.client.js';
import { portOf } from '../support/raw-http.js';
import { base, dayMs, noon, Stack } from '../support/stack.js';

const issuer = 'https://opaque.example';
const atOnce = 30;
/** The answer to a good token about a consent that does not exist. */
const unknownConsent = 400;

describe('tokens about which the gateway must ask their issuer', () => {
  let stack: Stack;
  let atMs: number;
  let post: { mockRestore(): void };
  let time: { mockRestore(): void };
  const asked: string[] = [];
  const answer = (token: string): object => ({
    active: token.startsWith('good'),
    aud: 'bank',
    exp: (noon + dayMs) / 1_000,
    client_id: 'tpp-one',
    scope: 'accounts',
  });
  beforeAll(async () => {
    post = jest.spyOn(IssuerClient.prototype, 'post').mockImplementation((_url, { token = '' }) => {
      asked.push(token);
      return token.startsWith('away') ? Promise.reject(new Error('away')) : Promise.resolve(answer(token));
    });
    stack = await Stack.start({
      config: {
        issuers: [
          {
            issuer,
            audience: 'bank',
            binding: 'none',
            claims: defaultClaims,
            subjectIsCustomer: false,
            introspection: { url: `${issuer}/introspect`, clientId: 'gateway', cacheMs: 10_000 },
          } as never,
        ],
      },
    });
    await stack.gateway.listen();
  });
  beforeEach(() => {
    asked.length = 0;
    atMs = Math.ceil(performance.now()) + dayMs;
    // The clock that the library of the token buckets reads.
    time = jest.spyOn(performance, 'now').mockImplementation(() => atMs);
  });
  afterEach(() => time.mockRestore());
  afterAll(async () => {
    post.mockRestore();
    await stack.close();
  });

  const ask = async (token: string, localAddress: string): Promise<[number | undefined, unknown]> => {
    const path = `${base}/account-access-consents/x`;
    const headers = { authorization: `Bearer ${token}` };
    const sent = request({ port: portOf(stack.gateway.server), localAddress, path, headers, agent: false }).end();
    const [{ statusCode, headers: got }] = (await once(sent, 'response')) as [IncomingMessage];
    sent.destroy();
    return [statusCode, got['retry-after']];
  };
  const flood = (prefix: string, address: string): Promise<[number | undefined, unknown][]> =>
    Promise.all(Array.from({ length: 200 }, (_, count) => ask(`${prefix}-${count}`, address)));

  it.each([
    ['not valid', 'bad', 401],
    ['of an issuer that does not answer', 'away', 503],
  ])('cause few queries where they are %s, also when they come at once', async (_kind, prefix, status) => {
    const address = `127.1.0.${status % 250}`;
    const statuses = (await flood(prefix, address)).map(([one]) => one);
    expect([asked.length, statuses.filter((one) => one === status).length]).toEqual([atOnce, atOnce]);
    expect(statuses.filter((one) => one === 429)).toHaveLength(200 - atOnce);
    expect(await ask(`${prefix}-later`, address)).toEqual([429, '1']);
    atMs += 1_000;
    expect((await ask(`${prefix}-later`, address))[0]).toBe(status);
  });

  it('are accepted from other addresses meanwhile, and from the same address where their issuer was asked before', async () => {
    expect((await ask('good-known', '127.2.0.1'))[0]).toBe(unknownConsent);
    await flood('bad', '127.2.0.1');
    expect((await ask('good-new', '127.2.0.2'))[0]).toBe(unknownConsent);
    expect((await ask('good-known', '127.2.0.1'))[0]).toBe(unknownConsent);
  });

  it('cost nothing where they are valid', async () => {
    for (let count = 0; count < 3 * atOnce; count++)
      expect((await ask(`good-${count}`, '127.3.0.1'))[0]).toBe(unknownConsent);
  });
});
