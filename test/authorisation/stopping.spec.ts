import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { AuthorisationSetting } from './setting.js';
import type { TestTpp } from './tpp.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { portOf } from '../support/raw-http.js';
import { watched } from '../support/wrapped-adapter.js';
import { until } from '../support/until.js';

/** Less than a connection without a request is kept (72 s) or waited for (60 s), and enough for a machine that is busy. */
const patienceMs = 30_000;

describe('a gateway that receives a signal to stop', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let ports: number[];
  let sockets: Socket[];
  let asked: number;
  let answer: () => void;
  async function start(database?: FreshDatabase): Promise<void> {
    asked = 0;
    sockets = [];
    const held = new Promise<void>((resolve) => (answer = resolve));
    setting = await AuthorisationSetting.start({
      ...(database && { database }),
      adapter: (ledger) => watched(ledger, ({ read }) => (read === 'balances' && asked++ < 1 ? held : undefined)),
    });
    tpp = await setting.tpp('tpp-one');
    const { server, bankServer } = setting.stack.gateway;
    const { browser, tpp: mtls } = setting.listeners;
    ports = [browser.port, mtls.port, portOf(server), portOf(bankServer)];
  }
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await setting.close();
  });

  async function connection(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  /** Asks, and keeps the connection when the answer is there. */
  async function kept(port: number): Promise<Socket> {
    const socket = await connection(port);
    socket.write('GET / HTTP/1.1\r\nhost: gateway\r\n\r\n');
    await once(socket, 'data');
    return socket;
  }

  const isRefused = (port: number): Promise<boolean> =>
    connection(port).then(
      () => false,
      () => true,
    );

  /** A read that waits for the core, on a connection that its TPP would keep. */
  async function underWay(): Promise<{ consentId: string; answered: ReturnType<TestTpp['ask']> }> {
    const { consentId, accessToken } = await setting.access(tpp, 'saver');
    const { Account } = (await tpp.ask('/accounts', accessToken)).json.Data;
    const answered = tpp.ask(`/accounts/${Account[0].AccountId}/balances`, accessToken);
    await until(() => asked > 0, patienceMs);
    return { consentId, answered };
  }

  it('answers what is under way as the last on its connection, and is gone at once after it', async () => {
    await start();
    const { answered } = await underWay();
    const closing = setting.stack.gateway.close();
    await sleep(100);
    answer();
    const { status, headers } = await answered;
    const answeredAt = performance.now();
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    await closing;
    expect(performance.now() - answeredAt).toBeLessThan(patienceMs);
  });

  it('takes no connection any more, on any of its ports, while something is under way', async () => {
    await start();
    const { answered } = await underWay();
    const closing = setting.stack.gateway.close();
    // As soon as all that had arrived was read.
    for (const port of ports) while (!(await isRefused(port)));
    expect(await Promise.all(ports.map(isRefused))).toEqual([true, true, true, true]);
    answer();
    await Promise.all([answered, closing]);
  });

  it('closes the connections that wait for a next request, whatever else is under way', async () => {
    await start();
    const { answered } = await underWay();
    const idle = await Promise.all(ports.slice(2).map(kept));
    const closing = setting.stack.gateway.close();
    await Promise.all(idle.map((socket) => once(socket, 'close')));
    answer();
    await Promise.all([answered, closing]);
  });

  it('does not wait for connections without a request, also on the ports with TLS', async () => {
    await start();
    await Promise.all(ports.map(connection));
    const startedAt = performance.now();
    await setting.stack.gateway.close();
    expect(performance.now() - startedAt).toBeLessThan(patienceMs);
  });

  it('writes when the access was last used', async () => {
    // The test opens it again.
    const database = await freshDatabase();
    await start(database);
    const { consentId, answered } = await underWay();
    const closing = setting.stack.gateway.close();
    answer();
    await Promise.all([answered, closing]);
    const prisma = await PrismaService.open(database.config);
    expect(await prisma.consentUse.findMany({ select: { consentId: true } })).toEqual([{ consentId }]);
    await prisma.onApplicationShutdown();
    await database.drop();
  });
});
