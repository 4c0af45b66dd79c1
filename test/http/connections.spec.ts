import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { httpOptions } from '../../src/server/http-server.js';
import { embeddedConfig } from '../authorisation/embedded-config.js';
import { FakeCustomers } from '../authorisation/fake-customers.js';
import { CertificateAuthority } from '../support/certificates.js';
import { temporaryFile } from '../support/temporary-file.js';
import { portOf, requestText, sendRaw, type RawAnswer } from '../support/raw-http.js';
import { eventsOf } from '../support/read-trail.js';
import { bankCredential, base, Stack, type StackOptions } from '../support/stack.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';

const authority = new CertificateAuthority();
const host = '127.0.0.1';
const places = 25;
const { handshakeTimeout, requestTimeout } = httpOptions;

/** A gateway whose four listeners end TLS. Each accepts this number of connections. */
class TlsStack {
  readonly ports: Record<string, number> = {};

  private constructor(readonly stack: Stack) {}

  static async start(persistence?: StackOptions['persistence']): Promise<TlsStack> {
    const { certificatePem, keyPem } = authority.issue('gateway');
    const pair = {
      certFile: await temporaryFile('server.pem', certificatePem),
      keyFile: await temporaryFile('server.key', keyPem),
    };
    const mutual = { ...pair, clientCaFile: await temporaryFile('ca.pem', authority.certificatePem) };
    const authorisationServer = await embeddedConfig(mutual);
    const stack = await Stack.start({
      ...(persistence && { persistence }),
      customers: new FakeCustomers([]),
      config: { maxConnections: places, tls: mutual, bankTls: pair, authorisationServer },
    });
    await stack.gateway.listen();
    const started = new TlsStack(stack);
    const { server, bankServer } = stack.gateway;
    Object.assign(started.ports, { PORT: portOf(server), BANK_PORT: portOf(bankServer) });
    const { browser, tpp } = authorisationServer;
    Object.assign(started.ports, { BROWSER_PORT: browser.port, MTLS_PORT: tpp.port });
    return started;
  }

  close(): Promise<void> {
    return this.stack.close();
  }
}

const client = authority.issue('tpp one');
const secured = (port: number): Socket =>
  connectTls({ host, port, ca: authority.certificatePem, cert: client.certificatePem, key: client.keyPem });

/** A connection on which the test sends nothing. */
async function silent(port: number): Promise<Socket> {
  const socket = connect({ host, port, allowHalfOpen: true }).on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the other side has closed it, also by a reset, as after a write that crosses the end. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed || socket.readableEnded) return resolve();
    socket
      .once('end', resolve)
      .once('close', () => resolve())
      .resume();
  });
}

async function openConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

describe('a listener that ends TLS', () => {
  let tls: TlsStack;
  beforeAll(async () => {
    // The limits themselves are tested below. Here the test would only wait for them.
    Object.assign(httpOptions, { handshakeTimeout: 200 });
    tls = await TlsStack.start();
  });
  afterAll(async () => {
    Object.assign(httpOptions, { handshakeTimeout });
    await tls.close();
  });

  it('gives a handshake ten seconds', () => {
    expect(handshakeTimeout).toBe(10_000);
  });

  const ports = ['PORT', 'BANK_PORT', 'BROWSER_PORT', 'MTLS_PORT'];

  it.each(ports)('at %s closes a connection on which no handshake begins', async (name) => {
    await closed(await silent(tls.ports[name]!));
  });

  it.each(ports)('at %s closes a connection whose handshake never ends', async (name) => {
    const socket = await silent(tls.ports[name]!);
    // The head of a ClientHello of 16 kB, and then one byte of it at a time.
    socket.write(Buffer.from([0x16, 3, 1, 0x3f, 0, 1, 0, 0x3e, 0xfc]));
    const writing = setInterval(() => socket.write(Buffer.from([0])), 20);
    await closed(socket);
    clearInterval(writing);
  });

  it.each(ports)('at %s closes a connection that does not speak TLS', async (name) => {
    const socket = await silent(tls.ports[name]!);
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await closed(socket);
  });

  it('closes all of these, although the client keeps its side open', async () => {
    const { server, bankServer } = tls.stack.gateway;
    for (const each of [server, bankServer]) await until(async () => (await openConnections(each.server)) === 0);
  });
});

describe('a client that gets the answer that its request came too late', () => {
  let stack: Stack;
  beforeAll(async () => {
    Object.assign(httpOptions, { requestTimeout: 200, connectionsCheckingInterval: 50 });
    stack = await Stack.start();
    await stack.gateway.listen();
  });
  afterAll(async () => {
    Object.assign(httpOptions, { requestTimeout, connectionsCheckingInterval: undefined });
    await stack.close();
  });

  it('holds no connection when it neither reads the answer nor closes', async () => {
    const { server } = stack.gateway.server;
    // It is open for a fifth of a second only, in which a busy machine may look at nothing.
    const opened = once(server, 'connection');
    const socket = await silent(portOf(stack.gateway.server));
    socket.write('GET / HTTP/1.1\r\n');
    await opened;
    await until(async () => (await openConnections(server)) === 0);
    socket.setEncoding('utf8');
    const [answer] = (await once(socket, 'data')) as [string];
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    socket.destroy();
  });
});

describe('a port with as many connections as it may have', () => {
  const database = new WatchedDatabase();
  let tls: TlsStack;
  const held: Socket[] = [];
  beforeEach(async () => {
    tls = await TlsStack.start(database.module);
  });
  afterEach(async () => {
    database.before = () => undefined;
    for (const socket of held.splice(0)) socket.destroy();
    await tls.close();
  });

  const hold = async (open: () => Promise<Socket>): Promise<void> => {
    for (let count = 0; count < places; count++) held.push(await open());
  };
  const speaking = async (port: number, text: string): Promise<Socket> => {
    const socket = secured(port).on('error', () => undefined);
    await once(socket, 'secureConnect');
    if (text !== '') socket.write(text);
    return socket;
  };
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const ways: Record<string, (port: number) => Promise<Socket>> = {
    'begin no handshake': silent,
    'send nothing after the handshake': (port) => speaking(port, ''),
    'sent a part of a head': (port) => speaking(port, 'GET / HTTP/1.1\r\nHost: '),
    'sent a part of a body': (port) =>
      speaking(port, `POST /as/token HTTP/1.1\r\nHost: ${host}:${port}\r\n${form}\r\nContent-Length: 9\r\n\r\na=b`),
    'are idle after an answer': async (port) => {
      const socket = await speaking(port, `GET / HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
      await once(socket, 'data');
      return socket;
    },
  };
  const ofBank = `Authorization: Bearer ${bankCredential}`;
  const asked: Record<string, [target: string, header: string, status: number]> = {
    PORT: [`${base}/accounts`, 'Accept: */*', 401],
    BANK_PORT: ['/bank/v1/tpps', ofBank, 200],
    BROWSER_PORT: ['/as/dashboard', 'Accept: */*', 200],
    MTLS_PORT: [`${base}/accounts`, 'Accept: */*', 401],
  };
  const ask = (name: string): Promise<RawAnswer> => {
    const [target, header] = asked[name]!;
    const own = requestText('GET', target, [header]).replace('Host: gateway', `Host: ${host}:${tls.ports[name]!}`);
    return sendRaw(tls.ports[name]!, own, secured);
  };

  it.each(Object.keys(asked))('answers every whole request at %s, whatever all of them wait for', async (name) => {
    const port = tls.ports[name]!;
    for (const [way, open] of Object.entries(ways)) {
      await hold(() => open(port));
      for (let count = 0; count < 8; count++) expect([way, (await ask(name)).status]).toEqual([way, asked[name]![2]]);
      // A request takes the place of one connection, and no more.
      expect([way, held.some(({ closed: isClosed }) => !isClosed)]).toEqual([way, true]);
      for (const socket of held.splice(0)) socket.destroy();
    }
    expect(tls.stack.log.join('')).toContain(`"port":${port}`);
  });

  it('answers requests that came whole, and closes a further connection while all of them wait for their answers', async () => {
    const { server } = tls.stack.gateway.bankServer;
    database.statements.length = 0;
    let goOn = (): void => undefined;
    const released = new Promise<void>((resolve) => (goOn = resolve));
    database.before = () => released;
    const waiting = Array.from({ length: places }, () => ask('BANK_PORT'));
    await until(() => database.statements.filter((one) => one === 'tppStanding.findMany').length === places);
    await expect(ask('BANK_PORT')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await openConnections(server)).toBe(places);
    goOn();
    for (const answer of waiting) expect((await answer).status).toBe(200);
  });

  it('names the limit as the reason where a body did not come in time', async () => {
    const port = tls.ports['BANK_PORT']!;
    const head = requestText('POST', '/bank/v1/operators', [ofBank, 'Content-Type: application/json']);
    const { server } = tls.stack.gateway.bankServer;
    await hold(async () => {
      const arrival = once(server, 'request') as Promise<[IncomingMessage]>;
      const socket = await speaking(port, head.replace('Connection: close', 'Content-Length: 9'));
      const [request] = await arrival;
      if (request.readableFlowing !== true) await once(request, 'resume');
      return socket;
    });
    await ask('BANK_PORT');
    const { directory } = tls.stack.config.trail;
    await until(async () =>
      (await eventsOf(directory, 'request')).some(({ reason }) => reason === 'connections-taken'),
    );
  });
});
