import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { SegmentWriter } from '../../src/trail/segment-writer.js';
import { AuthorisationSetting } from '../authorisation/setting.js';
import { portOf } from '../support/raw-http.js';
import { eventsOf } from '../support/read-trail.js';
import { bankCredential } from '../support/stack.js';
import { until } from '../support/until.js';
import { watched, withReads } from '../support/wrapped-adapter.js';

/** Enough for two requests on a machine that is busy. */
const stopDelayMs = 5_000;

describe('the phases of a stop', () => {
  let setting: AuthorisationSetting;
  let events: string[];
  let readsOfBalances: number;
  let coreAnswers: () => void;
  let restore: (() => void)[];

  /** Notes when the method ends. */
  function noteEnd<Part extends object>(part: Part, method: keyof Part & string, event: string): void {
    const original = part[method] as (this: unknown) => Promise<void>;
    const spy = jest.spyOn(part as Record<string, () => unknown>, method);
    spy.mockImplementation(async function (this: unknown) {
      await original.call(this);
      events.push(event);
    });
    restore.push(() => spy.mockRestore());
  }

  /** Notes when the gateway has sent the whole answer: the TPP may receive it later. */
  function noteAnswer(path: string): void {
    const channel = 'http.server.response.finish';
    const note = (message: unknown): void => {
      if ((message as { request: IncomingMessage }).request.url?.endsWith(path) === true) events.push('read answered');
    };
    subscribe(channel, note);
    restore.push(() => unsubscribe(channel, note));
  }

  beforeEach(async () => {
    events = [];
    readsOfBalances = 0;
    restore = [];
    const held = new Promise<void>((resolve) => (coreAnswers = resolve));
    noteEnd(PrismaService.prototype, 'onApplicationShutdown', 'database closed');
    noteEnd(SegmentWriter.prototype, 'close', 'trail closed');
    setting = await AuthorisationSetting.start({
      config: { stopDelayMs },
      adapter: (ledger) =>
        withReads(
          watched(ledger, ({ read }) => (read === 'balances' && readsOfBalances++ === 0 ? held : undefined)),
          {
            close: async () => {
              await ledger.close();
              events.push('core closed');
            },
          },
        ),
    });
    // On PostgreSQL another connection has migrated the database.
    events = [];
    noteEnd(setting.customers, 'close', 'customer authentication closed');
  });
  afterEach(async () => {
    await setting.close();
    for (const each of restore) each();
  });

  async function opened(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    restore.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  }

  /** A connection on which a request was answered, and which waits for the next. */
  async function idle(port: number): Promise<Socket> {
    const socket = await opened(port);
    socket.write('GET / HTTP/1.1\r\nhost: gateway\r\n\r\n');
    await once(socket, 'data');
    return socket;
  }

  const isRefused = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
      socket.once('connect', () => socket.destroy());
    });

  it('close every port and idle connection, answer every request, then close the bank’s systems, then the trail, and the database last', async () => {
    const tpp = await setting.tpp('tpp-one');
    const { accessToken } = await setting.access(tpp, 'saver');
    const { Account } = (await tpp.ask('/accounts', accessToken)).json.Data;
    const { consentId } = await setting.access(tpp, 'saver');
    const path = `/accounts/${Account[0].AccountId}/balances`;
    noteAnswer(path);
    const read = tpp.ask(path, accessToken).then(({ status }) => status);
    await until(() => readsOfBalances > 0, 30_000);

    const { server, bankServer } = setting.stack.gateway;
    const bankPort = portOf(bankServer);
    const ports = [setting.listeners.browser.port, setting.listeners.tpp.port, portOf(server), bankPort];
    // No caller waits for these: no request is under way there.
    for (const port of ports) await opened(port);
    const idleClosed = Promise.all([portOf(server), bankPort].map(async (port) => once(await idle(port), 'close')));
    const bank = `http://127.0.0.1:${bankPort}`;
    const closing = setting.stack.gateway.close();
    // Within the delay: every port answers, on new connections too, and says that it stops.
    const ready = await fetch(`${bank}/health/ready`);
    expect([ready.status, ((await ready.json()) as { faults: string[] }).faults]).toEqual([503, ['stopping']]);
    const revoked = await fetch(`${bank}/bank/v1/consents/${consentId}/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bankCredential}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([revoked.status, revoked.headers.get('connection')]).toEqual([200, 'close']);
    const withdrawals = await eventsOf(setting.stack.config.trail.directory, 'withdrawal');
    expect(withdrawals).toMatchObject([{ event: 'consent-revoked', consent: consentId }]);

    // After the delay the read is still under way, and nothing that it may need is closed.
    for (const port of ports) while (!(await isRefused(port))) await sleep(50);
    await idleClosed;
    await sleep(500);
    expect(events).toEqual([]);
    coreAnswers();
    expect(await read).toBe(200);
    await closing;
    expect(events[0]).toBe('read answered');
    expect(events.slice(1, 3).sort()).toEqual(['core closed', 'customer authentication closed']);
    expect(events.slice(3)).toEqual(['trail closed', 'database closed']);
    // The delay, and the silence that each port waits for, pass in real time.
  }, 180_000);
});
