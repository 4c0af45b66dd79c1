import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { anyUuid, oneError } from '../support/error-shape.js';
import { minuteMs, Stack, type ConsentedCustomer } from '../support/stack.js';
import { privateJwk, TokenForge } from '../support/token-forge.js';
import { publicPart } from '../../sandbox/bank/issuer.js';

/** The issuer's endpoint of its public keys, with the keys and faults that a test sets. */
class KeyEndpoint {
  published: readonly JWK[] = [];
  fault: 'none' | 'error' | 'garbage' | 'silent' = 'none';
  asked = 0;
  private readonly server: Server = createServer((_request, response) => {
    this.asked++;
    if (this.fault === 'silent') return;
    response.writeHead(this.fault === 'error' ? 500 : 200, { 'content-type': 'application/json' });
    response.end(this.fault === 'garbage' ? '<html>' : JSON.stringify({ keys: this.published.map(publicPart) }));
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/keys`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe("the issuer's keys", () => {
  let stack: Stack | undefined;
  const endpoint = new KeyEndpoint();
  let url: string;
  let keys: readonly JWK[];

  beforeAll(async () => {
    ({ keys } = await makeIssuerKeys());
  });
  beforeEach(async () => {
    endpoint.published = keys;
    endpoint.fault = 'none';
    url = await endpoint.listen();
  });
  afterEach(async () => {
    await stack?.close();
    stack = undefined;
    await endpoint.close();
  });

  const start = async (jwks: string): Promise<Stack> => {
    stack = await Stack.start({ issuerKeys: { keys }, jwks });
    return stack;
  };
  const statusOf = async (to: Stack, token: string): Promise<number> => (await to.ask('/accounts', { token })).status;
  const forge = (to: Stack, signedWith: readonly JWK[], { consentId }: ConsentedCustomer): Promise<string> =>
    new TokenForge(signedWith, to.bank.issuer, to.bank.audience, () => to.clock.nowMs()).sign({
      claims: { openbanking_intent_id: consentId },
    });

  it('that cannot be fetched are 503 with Retry-After, not 401, and are fetched again', async () => {
    const running = await start(url);
    const token = await running.clientToken();
    const path = '/account-access-consents/aac-1';
    for (const fault of ['error', 'garbage', 'silent'] as const) {
      endpoint.fault = fault;
      const answer = await running.ask(path, { token });
      expect([fault, answer.status, answer.json]).toEqual([
        fault,
        503,
        oneError({ Code: '503 ServiceUnavailable', ErrorCode: 'UK.OBIE.UnexpectedError' }),
      ]);
      expect(answer.headers).toMatchObject({
        'retry-after': expect.stringMatching(/^\d+$/),
        'x-fapi-interaction-id': expect.stringMatching(anyUuid),
      });
      expect(answer.headers['www-authenticate']).toBeUndefined();
    }
    endpoint.fault = 'none';
    expect((await running.ask(path, { token })).status).toBe(400);
  });

  it('are fetched once for many tokens, and never for a token that is refused without them', async () => {
    const running = await start(url);
    const before = endpoint.asked;
    for (const token of ['garbage', 'a.b.c']) expect(await statusOf(running, token)).toBe(401);
    expect((await running.ask('/accounts')).status).toBe(401);
    expect(endpoint.asked).toBe(before);
    for (let count = 0; count < 3; count++)
      expect(await statusOf(running, (await running.consent({ persona: 'saver' })).token)).toBe(200);
    expect(endpoint.asked).toBe(before + 1);
  });

  it('may be rotated: tokens of a new key are accepted, and after a minute those of a withdrawn key refused', async () => {
    const running = await start(url);
    const customer = await running.consent({ persona: 'saver' });
    expect(await statusOf(running, customer.token)).toBe(200);

    const rotated = [await privateJwk('PS256', 'rotated')];
    endpoint.published = rotated;
    const token = await forge(running, rotated, customer);
    running.clock.advance(15_000);
    expect(await statusOf(running, token)).toBe(200);
    expect(await statusOf(running, customer.token)).toBe(200);
    running.clock.advance(minuteMs);
    expect(await statusOf(running, customer.token)).toBe(401);
    expect(await statusOf(running, token)).toBe(200);
  });

  it('may be in a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-keys-'));
    try {
      const file = join(folder, 'keys.json');
      await writeFile(file, JSON.stringify({ keys: keys.map(publicPart) }));
      const running = await start(file);
      const customer = await running.consent({ persona: 'saver' });
      expect(await statusOf(running, customer.token)).toBe(200);
      const foreign = await forge(running, [await privateJwk('PS256', 'foreign')], customer);
      expect(await statusOf(running, foreign)).toBe(401);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
