import { afterEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load-config.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { told } from '../support/error-shape.js';
import { Stack, type Answer } from '../support/stack.js';
import { trailKeys } from '../support/trail-keys.js';

const needed = {
  TOKEN_ISSUER: 'https://issuer.example',
  TOKEN_AUDIENCE: 'account-information',
  TOKEN_JWKS: 'https://issuer.example/jwks.json',
  CORE_URL: 'https://core.example',
  BANK_CREDENTIAL: 'bank-credential-0123456789abcdefghij',
  ID_KEY: 'id-key-0123456789abcdefghijklmnopqrs',
  ...trailKeys,
};

/** So slow that no token returns while the test runs. */
const perSecond = 0.001;
const request = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };

/** The settings in the guide's line for a TPP that wants to see 429. */
const guide = readFileSync(join(packageRoot(), 'docs/tpp/guide.md'), 'utf8');
const [settings = ''] = /^TPP_REQUESTS.* npm start$/m.exec(guide) ?? [];

describe('the rate limit of a TPP', () => {
  let stack: Stack;
  afterEach(() => stack.close());
  const start = async (rateLimits: Stack['config']['rateLimits']): Promise<void> => {
    stack = await Stack.start({ config: { rateLimits } });
  };
  const ask = async (clientId: string, path = '/accounts/any'): Promise<Answer> =>
    stack.ask(path, { token: await stack.clientToken(clientId) });
  const create = async (clientId: string): Promise<Answer> =>
    stack.ask('/account-access-consents', {
      method: 'POST',
      token: await stack.clientToken(clientId),
      payload: request,
    });

  it('admits a burst, then answers 429 with the seconds until one more is possible, in the form of the standard', async () => {
    await start({ requests: { perSecond, burst: 3 } });
    for (const remaining of [2, 1, 0]) {
      const answer = await ask('tpp-one');
      expect(answer.status).not.toBe(429);
      expect(answer.headers['ratelimit-policy']).toBe('"requests";q=3;w=3000');
      expect(answer.headers['ratelimit']).toMatch(new RegExp(`^"requests";r=${remaining};t=\\d+$`));
    }
    const refused = await ask('tpp-one');
    expect(told(refused)).toEqual([429, '429 TooManyRequests', 'UK.AIG.Requests.TooMany', '']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(1_000);
    expect(refused.headers['ratelimit']).toMatch(/^"requests";r=0;t=\d+$/);
    expect(refused.headers['x-fapi-interaction-id']).toEqual(expect.any(String));
  });

  it('is reached by the third request at once where the stack starts as the guide for TPPs says', async () => {
    const stated = [...settings.matchAll(/(\w+)=(\d+)/g)].map(([, name = '', value = '']) => [name, value] as const);
    await start(loadConfig({ ...needed, ...Object.fromEntries(stated) }).rateLimits);
    const answers: number[] = [];
    while (answers.length < 3) answers.push((await ask('tpp-one')).status);
    expect(answers.map((status) => status === 429)).toEqual([false, false, true]);
  });

  it('is separate for each TPP, and applies to unknown paths and methods as well', async () => {
    await start({ requests: { perSecond, burst: 3 } });
    expect((await ask('tpp-one', '/unknown')).status).toBe(404);
    expect((await ask('tpp-one', '/accounts/%ZZ')).status).toBe(404);
    const wrongMethod = { method: 'DELETE', token: await stack.clientToken('tpp-one') };
    expect((await stack.ask('/accounts', wrongMethod)).status).toBe(405);
    expect((await stack.ask('/accounts', wrongMethod)).status).toBe(429);
    expect((await ask('tpp-one', '/accounts/%ZZ')).status).toBe(429);
    expect((await ask('tpp-two')).status).not.toBe(429);
  });

  it('has a separate part for the creation of consents, which reads do not use up', async () => {
    await start({ requests: { perSecond, burst: 6 }, consents: { perSecond, burst: 2 } });
    const created = [await create('tpp-one'), await create('tpp-one')];
    expect(created.map(({ status }) => status)).toEqual([201, 201]);
    expect(created[0]?.headers['ratelimit-policy']).toBe('"requests";q=6;w=6000, "consents";q=2;w=2000');
    expect(created[0]?.headers['ratelimit']).toMatch(/^"requests";r=5;t=\d+, "consents";r=1;t=\d+$/);
    const refused = await create('tpp-one');
    expect(told(refused)).toEqual([429, '429 TooManyRequests', 'UK.AIG.Requests.TooMany', '']);
    expect(refused.json.Errors[0].Message).toContain('creates consents faster');
    expect((await ask('tpp-one')).status).not.toBe(429);
    expect((await create('tpp-two')).status).toBe(201);
  });

  it('is not used by a request whose token is refused, and is still stated in that answer', async () => {
    await start({ requests: { perSecond, burst: 1 } });
    const refused = await stack.ask('/accounts', { token: 'forged' });
    expect([refused.status, refused.headers['ratelimit-policy']]).toEqual([401, '"requests";q=1;w=1000']);
    expect(refused.headers).not.toHaveProperty('ratelimit');
    expect((await ask('tpp-one')).status).not.toBe(429);
  });

  it('is absent from requests and answers where the limits are switched off', async () => {
    await start({});
    const answer = await ask('tpp-one');
    expect(answer.headers).not.toHaveProperty('ratelimit');
    expect(answer.headers).not.toHaveProperty('ratelimit-policy');
  });

  it('is published', async () => {
    await start({ requests: { perSecond: 5, burst: 10 }, consents: { perSecond: 1, burst: 2 } });
    const { body } = await stack.gateway.server.inject('/.well-known/account-information');
    expect(JSON.parse(body)).toMatchObject({
      RateLimits: {
        CountedBy: 'EachProcess',
        Requests: { PerSecond: 5, Burst: 10 },
        Consents: { PerSecond: 1, Burst: 2 },
      },
      UnattendedAccess: { CountedBy: 'AllProcesses', Mode: 'observe', Limit: 4, PeriodHours: 24 },
    });
  });
});
