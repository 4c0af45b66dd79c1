import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { until } from '../support/until.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';

describe('a gateway process that gets SIGTERM', () => {
  let bank: SandboxBank;
  let database: FreshDatabase;
  let gateway: GatewayProcess;
  let sockets: Socket[];
  beforeEach(async () => {
    sockets = [];
    [bank, database] = await Promise.all([startBank(), freshDatabase()]);
    // Much longer than the test needs, so that a busy machine changes nothing.
    const settings = { DATABASE_URL: database.config.url, STOP_DELAY_SECONDS: '20' };
    gateway = await GatewayProcess.start(environmentOf(bank, await freePorts(), settings));
  }, 2 * patienceMs);
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await gateway.kill();
    await bank.close();
    await database.drop();
  }, patienceMs);

  async function connection(port: number): Promise<{ socket: Socket; received: () => string }> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await once(socket, 'connect');
    return { socket, received: () => received };
  }

  async function asked(port: number, path: string): Promise<string> {
    const { socket, received } = await connection(port);
    const closed = once(socket, 'close');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: gateway\r\n\r\n`);
    await closed;
    return received();
  }

  it('is not ready, answers on every port with Connection: close, and cuts nothing off at a second SIGTERM', async () => {
    const { port, bankPort } = gateway.ports;
    const half = await connection(port);
    const halfClosed = once(half.socket, 'close');
    half.socket.write('GET /.well-known/account-information HTTP/1.1\r\nhost');
    gateway.child.kill('SIGTERM');
    await until(async () => (await gateway.readiness()) !== 200, patienceMs);
    const notReady = await asked(bankPort, '/health/ready');
    expect(notReady).toMatch(/^HTTP\/1\.1 503 [^]*\r\nconnection: close\r\n[^]*"faults":\["stopping"\]/i);
    expect(await asked(bankPort, '/health/live')).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i);
    const facts = await asked(port, '/.well-known/account-information');
    expect(facts).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i);
    gateway.child.kill('SIGTERM');
    await until(async () => (await gateway.readiness()) !== 503, patienceMs);
    half.socket.write(': gateway\r\n\r\n');
    await halfClosed;
    expect(half.received()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i);
    expect(await gateway.ended).toBe(0);
  });
});
