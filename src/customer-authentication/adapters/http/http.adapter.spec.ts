import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeIssuerKeys } from '../../../../sandbox/bank/issuer.js';
import { startSandboxBank, type SandboxBank } from '../../../../sandbox/bank/sandbox-bank.js';
import { codeLifeMs, ticketLifeMs } from '../../../../sandbox/bank/sign-on.js';
import { codeFor } from '../../../../test/support/inbox.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { createHttpService } from '../../../outgoing/http-service.js';
import type { CustomerAuthentication } from '../../customer-authentication.js';
import { CustomerAuthenticationUnavailable } from '../../customer-authentication.js';
import { customerAuthentications } from '../registry.js';
import { createCustomerAuthentication } from './http.adapter.js';

const credential = 'sign-on-credential-0123456789abcdef';
const never = new AbortController().signal;
const http = createHttpService();

describe('the customer authentication over HTTP, against the sandbox bank', () => {
  const clock = new FakeClock(Date.parse('2026-11-20T14:30:00.000Z'));
  let bank: SandboxBank;
  let authentication: CustomerAuthentication;

  beforeAll(async () => {
    const issuerKeys = await makeIssuerKeys();
    bank = await startSandboxBank({ port: 0, credential: 'staff', signOnCredential: credential, issuerKeys, clock });
    const registered = await customerAuthentications.http?.();
    authentication = (await registered?.createCustomerAuthentication(
      { url: bank.signOnUrl, credential },
      { http },
    )) as CustomerAuthentication;
  });
  afterAll(async () => {
    await authentication.close();
    await bank.close();
  });

  const start = (password = 'sandbox-complete', loginName = 'complete') =>
    authentication.start({ loginName, password }, never);
  const code = () => codeFor('complete', bank.inboxUrl);

  it('gives the customer for the password and the code', async () => {
    const challenge = await start();
    expect(challenge).toEqual({
      challengeId: expect.stringMatching(/^[\w-]{43}$/),
      sentTo: `the sandbox inbox, ${bank.inboxUrl}`,
    });
    expect(await authentication.verify(challenge, await code(), never)).toEqual({
      customerRef: 'C1001',
      displayName: 'Amelia Hart',
    });
  });

  it('gives the same kind of challenge for a wrong password and for an unknown login name', async () => {
    const { sentTo } = await start();
    for (const challenge of [await start('wrong'), await start('sandbox-nobody', 'nobody')]) {
      expect(challenge).toEqual({ challengeId: expect.stringMatching(/^[\w-]{43}$/), sentTo });
      expect(await authentication.verify(challenge, await code(), never)).toBe('wrong');
      const again = await authentication.sendAgain(challenge, never);
      expect(again).toEqual({ challengeId: expect.stringMatching(/^[\w-]{43}$/), sentTo });
      expect(again?.challengeId).not.toBe(challenge.challengeId);
    }
  });

  it('tells a wrong code, which can be corrected, from one whose time is over or that was used', async () => {
    const wrong = await start();
    expect(await authentication.verify(wrong, 'wrong', never)).toBe('wrong');
    expect(await authentication.verify(wrong, await code(), never)).toEqual(
      expect.objectContaining({ customerRef: 'C1001' }),
    );
    expect(await authentication.verify(wrong, await code(), never)).toBe('expired');

    const late = await start();
    const right = await code();
    clock.advance(codeLifeMs);
    expect(await authentication.verify(late, right, never)).toBe('expired');
  });

  it('has another code sent, until the bank has forgotten the sign-in', async () => {
    const first = await start();
    const former = await code();
    clock.advance(codeLifeMs);
    const second = (await authentication.sendAgain(first, never)) ?? first;
    expect(await authentication.verify(first, former, never)).toBe('expired');
    expect(await authentication.verify(second, await code(), never)).toEqual(
      expect.objectContaining({ customerRef: 'C1001' }),
    );
    const old = await start();
    clock.advance(ticketLifeMs);
    expect(await authentication.sendAgain(old, never)).toBeUndefined();
  });

  it('is unavailable with a wrong credential, not a refusal', async () => {
    const stranger = createCustomerAuthentication({ url: bank.signOnUrl, credential: 'wrong' }, { http });
    await expect(stranger.start({ loginName: 'complete', password: 'x' }, never)).rejects.toThrow(
      new CustomerAuthenticationUnavailable('the customer authentication answered 401 to start'),
    );
    await stranger.close();
  });
});

describe('a customer authentication that is not well', () => {
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer((request, response) => answer(request, response));
  let authentication: CustomerAuthentication;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    authentication = createCustomerAuthentication({ url, credential, deadlineMs: 100 }, { http });
  });
  beforeEach(() => {
    answer = (_request, response) => response.end();
  });
  afterAll(async () => {
    await authentication.close();
    server.closeAllConnections();
    server.close();
  });

  const secrets = { loginName: 'amelia-login', password: 'hunter2-password' };
  const challenge = { challengeId: 'ticket-of-hers', sentTo: 'x' };
  const calls: readonly [string, (signal: AbortSignal) => Promise<unknown>][] = [
    ['start', (signal) => authentication.start(secrets, signal)],
    ['verify', (signal) => authentication.verify(challenge, 'code-123', signal)],
    ['sendAgain', (signal) => authentication.sendAgain(challenge, signal)],
  ];
  const json = (status: number, body: unknown) => (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  const faults: readonly [string, typeof answer][] = [
    ['is silent', () => undefined],
    ['hangs up', (request) => request.socket.destroy()],
    ['answers 500', json(500, { fail: secrets.password })],
    ['answers 403 without saying why', json(403, {})],
    ['answers HTML', (_request, response) => response.writeHead(200).end(`<html>${secrets.password}</html>`)],
    ['answers null', json(200, null)],
    ['answers 201 with members of the wrong type', json(201, { ticket: 7, via: ['x'] })],
    ['answers 200 with members of the wrong type', json(200, { client: 7, name: '' })],
    ['answers without end', (_request, response) => response.writeHead(200).write('x'.repeat(1_000_000))],
  ];

  it.each(calls.flatMap(([step, call]) => faults.map(([fault, act]) => ({ step, fault, call, act }))))(
    'is unavailable to $step when it $fault, and does not repeat the answer of the service',
    async ({ call, act }) => {
      answer = act;
      const error: unknown = await call(never).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(CustomerAuthenticationUnavailable);
      const { message, cause } = error as Error;
      expect(cause).toBeUndefined();
      expect(message).not.toMatch(/hunter2|amelia|ticket-of-hers|code-123/);
    },
  );

  it('is given up when the caller does', async () => {
    answer = () => undefined;
    await expect(authentication.sendAgain(challenge, AbortSignal.abort())).rejects.toThrow(/before the deadline/);
  });
});
