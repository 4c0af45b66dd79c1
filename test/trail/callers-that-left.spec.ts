import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { OperatorEvent } from '../../src/trail/operator-event.js';
import type { RequestEvent } from '../../src/trail/event.js';
import { portOf } from '../support/raw-http.js';
import { eventsOf } from '../support/read-trail.js';
import { base, bankCredential, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';

const ids = (last: number): string => `93bac548-d2de-4546-b106-880a5018${String(last).padStart(4, '0')}`;

describe.each(['count', 'refuse'] as const)('a caller that leaves before its answer, with TRAIL_FAULT=%s', (fault) => {
  let stack: Stack;
  let database: WatchedDatabase;
  let operator = '';
  let asked = 0;
  beforeAll(async () => {
    database = new WatchedDatabase();
    stack = await Stack.start({ persistence: database.module });
    const { trail } = stack.config;
    await stack.close();
    stack = await Stack.start({ persistence: database.module, config: { trail: { ...trail, fault } } });
    await stack.gateway.listen();
    operator = (await stack.report('/operators', { name: 'anna', role: 'admin' }, bankCredential)).json.Credential;
  });
  afterAll(() => stack.close());

  /** Sends a request, leaves while the database works on a statement, and lets the database go on. @returns the id */
  async function leave(
    port: number,
    path: string,
    token: string,
    body: object,
    statement: string | undefined,
  ): Promise<string> {
    const id = ids(++asked);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let isHeld = false;
    database.before = (asking) => {
      if (statement !== undefined && !asking.includes(statement)) return undefined;
      isHeld = true;
      return held;
    };
    const text = JSON.stringify(body);
    const socket: Socket = connect(port, '127.0.0.1');
    const lines = [
      `POST ${path} HTTP/1.1`,
      'Host: gateway',
      `Authorization: Bearer ${token}`,
      `x-fapi-interaction-id: ${id}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
    ];
    socket.write([...lines, '', text].join('\r\n'));
    await until(() => isHeld);
    const open = () => new Promise<number>((resolve) => serverOf(port).getConnections((_, count) => resolve(count)));
    const before = await open();
    socket.destroy();
    await until(async () => (await open()) < before);
    await turn();
    database.before = () => undefined;
    goOn();
    return id;
  }
  const serverOf = (port: number) =>
    [stack.gateway.server, stack.gateway.bankServer].find((server) => portOf(server) === port)?.server ??
    stack.gateway.server.server;

  /** All events of the request, once another request that came after it has its own. */
  async function eventsWith(id: string): Promise<{ requests: RequestEvent[]; acts: OperatorEvent[] }> {
    const { directory } = stack.config.trail;
    const [requests, acts] = [() => eventsOf(directory, 'request'), () => eventsOf(directory, 'operator')];
    await until(async () => (await requests()).some((event) => event.id === id));
    const last = ids(++asked);
    await stack.gateway.bankServer.inject({ url: '/health/live', headers: { 'x-fapi-interaction-id': last } });
    await until(async () => (await requests()).some((event) => event.id === last));
    const ofIt = (event: { id: string }) => event.id === id;
    return { requests: (await requests()).filter(ofIt), acts: (await acts()).filter(ofIt) };
  }

  it('leaves one event of an operator’s act, which says that it was done, and how many consents it ended', async () => {
    const { consentId, customerRef, token } = await stack.consent({ persona: 'saver' });
    const port = portOf(stack.gateway.bankServer);
    const body = { customer: customerRef, reason: 'customer-request' };
    const id = await leave(port, '/bank/v1/cases/withdrawals', operator, body, 'consent');
    const { requests, acts } = await eventsWith(id);
    expect((await stack.ask('/accounts', { token })).status).not.toBe(200);
    expect(acts).toMatchObject([
      { command: 'withdrawConsents', by: 'operator:anna', outcome: 'done', count: 1, reason: 'customer-request' },
    ]);
    expect(requests).toMatchObject([{ status: 499, unsentStatus: 200, reason: 'client-gone' }]);
    const changes = await eventsOf(stack.config.trail.directory, 'consent');
    expect(changes.filter(({ consent, event }) => consent === consentId && event === 'revoked')).toHaveLength(1);
  });

  it('leaves one event of a TPP’s request, with the status of the answer that could not be sent', async () => {
    const body = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const token = await stack.clientToken();
    const id = await leave(portOf(stack.gateway.server), `${base}/account-access-consents`, token, body, 'consent');
    const { requests } = await eventsWith(id);
    expect(requests).toMatchObject([{ status: 499, unsentStatus: 201, reason: 'client-gone', tpp: 'tpp-one' }]);
    expect(requests[0]?.lastByteMs).toEqual(expect.any(Number));
  });

  it('begins nothing where the caller left before the request was begun', async () => {
    const { customerRef, token } = await stack.consent({ persona: 'complete' });
    const body = { customer: customerRef, reason: 'customer-request' };
    const id = await leave(
      portOf(stack.gateway.bankServer),
      '/bank/v1/cases/withdrawals',
      operator,
      body,
      'operator.findUnique',
    );
    const { requests, acts } = await eventsWith(id);
    expect((await stack.ask('/accounts', { token })).status).toBe(200);
    expect(acts).toMatchObject([{ command: 'withdrawConsents', outcome: 'failed', reason: 'client-gone' }]);
    expect(requests).toMatchObject([{ status: 499, reason: 'client-gone' }]);
    expect(requests[0]).not.toHaveProperty('unsentStatus');
  });
});
