import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, Server, type AddressInfo, type Socket } from 'node:net';
import { until } from '../../test/support/until.js';
import { closeListener } from './close-listener.js';

const patienceMs = 30_000;
/** Ends with 1 when it could connect. */
const stranger = `const over = (code) => process.exit(code);
require('node:net').connect(process.argv[1], process.argv[2]).on('connect', () => over(1)).on('error', () => over(0));
setTimeout(over, 500, 0);`;

const { close } = Server.prototype;

let server: Server;
let taken: Socket[];
let clients: Socket[];
beforeEach(() => {
  taken = [];
  clients = [];
  server = createServer((socket) => taken.push(socket.on('error', () => undefined)));
});
afterEach(() => {
  for (const socket of [...taken, ...clients]) socket.destroy();
  if (server.listening) server.close();
});

async function listen(address: string): Promise<number> {
  server.listen(0, address);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

it.each(['127.0.0.1', '0.0.0.0', '::'])(
  'lets nobody connect to %s in the moment in which the listener closes',
  async (address) => {
    const port = await listen(address);
    const asked: (number | null)[] = [];
    const spy = jest.spyOn(Server.prototype, 'close').mockImplementation(function (this: Server, ...given) {
      // Another process, while this one does nothing: it has the kernel to answer it.
      asked.push(spawnSync(process.execPath, ['-e', stranger, `${port}`, address]).status);
      return close.apply(this, given);
    });
    expect(spawnSync(process.execPath, ['-e', stranger, `${port}`, address]).status).toBe(1);
    await new Promise<void>((resolve) => void closeListener(server, resolve));
    spy.mockRestore();
    expect(asked).toEqual([0]);
    const [error] = (await once(connect(port, address), 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  },
);

it('takes every connection that waits when it begins to close', async () => {
  const port = await listen('127.0.0.1');
  clients = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'));
  // They connect in the next tick; the process takes none before the event loop has turned.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  expect(taken).toEqual([]);
  const closed = closeListener(server, () => undefined);
  for (const each of clients) each.write('request');
  await closed;
  const heard = (): number => taken.filter(({ bytesRead }) => bytesRead === 'request'.length).length;
  for (const each of taken) each.resume();
  await until(() => heard() === clients.length, patienceMs);
});

it('tells that all connections have ended', async () => {
  const port = await listen('127.0.0.1');
  const client = connect(port, '127.0.0.1');
  clients = [client];
  await until(() => taken.length === 1, patienceMs);
  let isOver = false;
  await closeListener(server, () => (isOver = true));
  expect(isOver).toBe(false);
  client.destroy();
  await until(() => isOver, patienceMs);
});

it('closes a server that never listened', async () => {
  await new Promise<void>((resolve) => void closeListener(server, resolve));
  expect(server.listening).toBe(false);
});
