import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeIssuerKeys } from '../../../../sandbox/bank/issuer.js';
import { startSandboxBank, type SandboxBank } from '../../../../sandbox/bank/sandbox-bank.js';
import { codeLifeMs, ticketLifeMs } from '../../../../sandbox/bank/sign-on.js';
import { kitServices as coreServices } from '../../../../packages/adapter-kit/kit-services.js';
import { closedOrigin } from '../../../../packages/adapter-kit/injected-faults.js';
import { signOnHttp, stepReach } from '../../../../packages/customer-authentication/sign-on-http.js';
import { codeFor } from '../../../../test/support/inbox.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import {
  CustomerAuthenticationUnavailable,
  HttpSignOnConnection,
  SignOnSettingFault,
  type AuthenticationRequest,
  type CodeStep,
  type CustomerAuthentication,
  type Step,
} from '../../../../packages/customer-authentication/published-port.js';
import { customerAuthentications } from '../registry.js';
import { createCustomerAuthentication } from './http.adapter.js';

const credential = 'sign-on-credential-0123456789abcdef';
const kitServices = { ...coreServices, http: signOnHttp };
const never = new AbortController().signal;
/** No test waits for the deadline of the gateway. */
const http = { connect: () => new HttpSignOnConnection({ deadlineMs: 100 }) };
const settings = (url: string, given = credential) => ({
  url,
  variables: { CUSTOMER_AUTHENTICATION_CREDENTIAL: given },
});
const requestOf = (loginName: string, password: string): AuthenticationRequest => ({
  purpose: 'dashboard',
  credentials: { loginName, password },
  browser: { deviceCookie: 'd'.repeat(43) },
  returnTo: { url: 'https://gateway.example/as/sign-on/return', state: 'state' },
  acrValues: ['urn:openbanking:psd2:sca'],
  language: 'en-GB',
});
/** Asserts that the customer is to type a code. */
function codeStep(step: Step): CodeStep {
  if (step.step !== 'code') throw new Error(`the step is ${step.step}`);
  return step;
}
const wrong = { step: 'refused', reason: 'wrong' };
const expired = { step: 'refused', reason: 'expired' };

describe('the customer authentication over HTTP, against the sandbox bank', () => {
  const clock = new FakeClock(Date.parse('2026-11-20T14:30:00.000Z'));
  let bank: SandboxBank;
  let authentication: CustomerAuthentication;

  beforeAll(async () => {
    const issuerKeys = await makeIssuerKeys();
    bank = await startSandboxBank({ port: 0, credential: 'staff', signOnCredential: credential, issuerKeys, clock });
    const registered = await customerAuthentications.http?.();
    authentication = (await registered?.createCustomerAuthentication(settings(bank.signOnUrl), {
      ...kitServices,
      clock,
      // So long that no answer is late because the machine is busy.
      http: { connect: () => new HttpSignOnConnection({ deadlineMs: 60_000 }) },
    })) as CustomerAuthentication;
  });
  afterAll(async () => {
    await authentication.close();
    await bank.close();
  });

  const start = async (password = 'sandbox-complete', loginName = 'complete') =>
    codeStep(await authentication.begin(requestOf(loginName, password), never));
  const type = ({ state }: CodeStep, code: string) => authentication.continue(state, { input: 'code', code }, never);
  const again = ({ state }: CodeStep) => authentication.continue(state, { input: 'another-code' }, never);
  const code = () => codeFor('complete', bank.inboxUrl);
  const ofOurs = expect.objectContaining({ step: 'done' });

  it('gives the customer for the password and the code, with the time and the kind of the authentication', async () => {
    const step = await start();
    expect(step).toEqual({
      step: 'code',
      state: expect.stringMatching(/^[\w-]{43}$/),
      sentTo: `the sandbox inbox, ${bank.inboxUrl}`,
    });
    expect(await type(step, await code())).toEqual({
      step: 'done',
      result: {
        customers: [{ customerRef: 'C1001', displayName: 'Amelia Hart' }],
        authenticatedAt: new Date(clock.nowMs()),
        method: 'password+code',
        acr: 'urn:openbanking:psd2:sca',
      },
    });
  });

  it('gives the same kind of step for a wrong password and for an unknown login name', async () => {
    const { sentTo } = await start();
    for (const step of [await start('wrong'), await start('sandbox-nobody', 'nobody')]) {
      expect(step).toEqual({ step: 'code', state: expect.stringMatching(/^[\w-]{43}$/), sentTo });
      expect(await type(step, await code())).toEqual(wrong);
      const next = codeStep(await again(step));
      expect(next).toEqual({ step: 'code', state: expect.stringMatching(/^[\w-]{43}$/), sentTo });
      expect(next.state).not.toBe(step.state);
    }
  });

  it('distinguishes a wrong code, which can be corrected, from one whose time is over or that was used', async () => {
    const step = await start();
    expect(await type(step, 'wrong')).toEqual(wrong);
    expect(await type(step, await code())).toEqual(ofOurs);
    expect(await type(step, await code())).toEqual(expired);

    const late = await start();
    const right = await code();
    clock.advance(codeLifeMs);
    expect(await type(late, right)).toEqual(expired);
  });

  it('has another code sent, until the bank has forgotten the sign-in', async () => {
    const first = await start();
    const former = await code();
    clock.advance(codeLifeMs);
    const second = codeStep(await again(first));
    expect(await type(first, former)).toEqual(expired);
    expect(await type(second, await code())).toEqual(ofOurs);
    const old = await start();
    clock.advance(ticketLifeMs);
    expect(await again(old)).toEqual(expired);
  });

  describe('in the bank’s app', () => {
    const begin = (password = 'sandbox-complete', loginName = 'complete+app') =>
      authentication.begin(requestOf(loginName, password), never);
    const poll = (step: Step) => authentication.continue('state' in step ? step.state : '', { input: 'poll' }, never);
    const waits = {
      step: 'wait',
      state: expect.stringMatching(/^[\w-]{43}$/),
      shown: expect.stringMatching(/^\d{2}$/),
      pollAfterSeconds: 2,
    };
    /** Presses the button of the customer's question. */
    async function press(answer: 'approved' | 'declined'): Promise<void> {
      const page = await (await fetch(`${bank.url}/app`)).text();
      const [, action = ''] = new RegExp(`action="(/app/[\\w-]+/${answer})"`).exec(page) ?? [];
      const options = { method: 'POST', headers: { origin: bank.url }, redirect: 'manual' } as const;
      expect((await fetch(bank.url + action, options)).status).toBe(303);
    }

    it('gives the customer who approves, once', async () => {
      const step = await begin();
      expect([step, await poll(step)]).toEqual([waits, waits]);
      await press('approved');
      expect(await poll(step)).toMatchObject({
        step: 'done',
        result: { customers: [{ customerRef: 'C1001' }], method: 'password+app' },
      });
      expect(await poll(step)).toEqual(expired);
    });

    it('recognises a customer who refuses, and one whose time has ended', async () => {
      const refused = await begin();
      await press('declined');
      expect(await poll(refused)).toEqual({ step: 'refused', reason: 'declined' });
      const late = await begin();
      clock.advance(codeLifeMs);
      expect(await poll(late)).toEqual(expired);
    });

    it('asks no customer after a wrong password or for an unknown login name, which look the same', async () => {
      for (const step of [await begin('wrong'), await begin('x', 'nobody+app')])
        expect([step, await poll(step)]).toEqual([waits, waits]);
      expect(await (await fetch(`${bank.url}/app`)).text()).toContain('The app asks nothing');
    });
  });

  it('informs a customer who is locked out after both factors, with the bank’s page', async () => {
    const step = await start('sandbox-complete', 'complete+locked');
    expect(await type(step, await codeFor('complete+locked', bank.inboxUrl))).toEqual({
      step: 'refused',
      reason: 'locked',
      page: `${bank.url}/app/locked`,
    });
  });

  it('is unavailable with a wrong credential, not a refusal', async () => {
    const stranger = createCustomerAuthentication(settings(bank.signOnUrl, 'wrong'), kitServices);
    await expect(stranger.begin(requestOf('complete', 'x'), never)).rejects.toThrow(
      new CustomerAuthenticationUnavailable('the bank’s sign-on answered 401 to begin'),
    );
    await stranger.close();
  });

  it('is refused at the start without a credential', () => {
    expect(() => createCustomerAuthentication({ url: bank.signOnUrl, variables: {} }, kitServices)).toThrow(
      new SignOnSettingFault('CUSTOMER_AUTHENTICATION_CREDENTIAL', 'must be set: make one with `openssl rand -hex 32`'),
    );
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
    authentication = createCustomerAuthentication(settings(url), { ...kitServices, http });
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
  const ticket = 'ticket-of-hers';
  const calls: readonly [string, (signal: AbortSignal) => Promise<unknown>][] = [
    ['begin', (signal) => authentication.begin(requestOf(secrets.loginName, secrets.password), signal)],
    ['check a code', (signal) => authentication.continue(ticket, { input: 'code', code: 'code-123' }, signal)],
    ['ask the app', (signal) => authentication.continue(ticket, { input: 'poll' }, signal)],
    ['send another code', (signal) => authentication.continue(ticket, { input: 'another-code' }, signal)],
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
    ['answers 202 with members of the wrong type', json(202, { ticket: 'x', via: 'x', poll: 'soon' })],
    ['answers 200 with no customer', json(200, { for: [] })],
    ['redirects', (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['answers 200 with members of the wrong type', json(200, { client: 7, name: '' })],
    ['answers 200 without the time of the authentication', json(200, { client: 'C1', name: 'A' })],
    ['answers 200 with a text in place of a time', json(200, { client: 'C1', name: 'A', at: 'noon' })],
    [
      'answers 200 with references of the wrong type',
      json(200, { client: 'C1', name: 'A', at: '2026-11-20T14:30:00Z', refs: { cards: 7 } }),
    ],
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

  it('knows that nothing reached the service only where no connection was made, in no request of the step', async () => {
    const closed = await closedOrigin();
    const connection = signOnHttp.connect({});
    const reached = async (...urls: readonly string[]): Promise<boolean[]> =>
      stepReach.run({ reached: false }, async () => {
        const seen: boolean[] = [];
        for (const url of urls)
          await connection.fetch(url).catch((fault: CustomerAuthenticationUnavailable) => seen.push(fault.reached));
        return seen;
      });
    const open = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await reached(closed, closed)).toEqual([false, false]);
    expect(await reached(open, closed)).toEqual([true]);
    answer = (request) => request.socket.destroy();
    expect(await reached(closed, open, closed)).toEqual([false, true, true]);
    // Outside a step an earlier request is not known.
    await expect(connection.fetch(closed)).rejects.toMatchObject({ reached: true });
    await connection.close();
  });

  it('is given up when the caller does', async () => {
    answer = () => undefined;
    const asked = authentication.continue(ticket, { input: 'another-code' }, AbortSignal.abort());
    await expect(asked).rejects.toThrow(/before the deadline/);
  });
});
