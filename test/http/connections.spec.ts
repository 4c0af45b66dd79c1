import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { defaultSignIn } from '../../src/config/config.js';
import { strongAuthentication } from '../../src/open-banking/authentication-classes.js';
import { httpOptions } from '../../src/server/http-server.js';
import { failureRate } from '../../src/config/rate-limits.js';
import { FakeCustomers } from '../authorisation/fake-customers.js';
import { CertificateAuthority } from '../support/certificates.js';
import { freePort } from '../support/free-port.js';
import { portOf, requestText, sendRaw, type RawAnswer } from '../support/raw-http.js';
import { base, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const authority = new CertificateAuthority();
const host = '127.0.0.1';
const places = 4;
const { handshakeTimeout, requestTimeout } = httpOptions;

/** A gateway whose four listeners end TLS. Each accepts this number of connections. */
class TlsStack {
  readonly ports: Record<string, number> = {};

  private constructor(
    readonly stack: Stack,
    private readonly folder: string,
  ) {}

  static async start(): Promise<TlsStack> {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-connections-'));
    const file = async (name: string, content: string): Promise<string> => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    const { certificatePem, keyPem } = authority.issue('gateway');
    const pair = { certFile: await file('server.pem', certificatePem), keyFile: await file('server.key', keyPem) };
    const mutual = { ...pair, clientCaFile: await file('ca.pem', authority.certificatePem) };
    const [browser, tpp] = [await freePort(), await freePort()];
    const stack = await Stack.start({
      customers: new FakeCustomers([]),
      config: {
        maxConnections: places,
        tls: mutual,
        bankTls: pair,
        authorisationServer: {
          browser: { host, port: browser, url: `https://${host}:${browser}`, tls: pair },
          tpp: { host, port: tpp, url: `https://${host}:${tpp}`, tls: mutual },
          acrValues: [strongAuthentication],
          signIn: defaultSignIn,
          keyEncryptionKey: Buffer.alloc(32, 7),
          limits: { failures: failureRate },
        },
      },
    });
    await stack.gateway.listen();
    const started = new TlsStack(stack, folder);
    const { server, bankServer } = stack.gateway;
    Object.assign(started.ports, { PORT: portOf(server), BANK_PORT: portOf(bankServer) });
    Object.assign(started.ports, { BROWSER_PORT: browser, MTLS_PORT: tpp });
    return started;
  }

  async close(): Promise<void> {
    await this.stack.close();
    await rm(this.folder, { recursive: true });
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

describe('a port with as many connections as MAX_CONNECTIONS allows', () => {
  let tls: TlsStack;
  const opened: Socket[] = [];
  beforeEach(async () => {
    tls = await TlsStack.start();
    for (const port of Object.values(tls.ports))
      for (let count = 0; count < places; count++) opened.push(await silent(port));
  });
  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy();
    await tls.close();
  });

  /** By itself, the gateway closes only a connection beyond the limit. */
  const askBank = (target: string, headers: readonly string[] = []): Promise<RawAnswer> =>
    sendRaw(tls.ports['BANK_PORT']!, requestText('GET', target, headers).replace('Connection: close\r\n', ''), secured);

  it.each(['PORT', 'BROWSER_PORT', 'MTLS_PORT'])('at %s closes a further one at once', async (name) => {
    const socket = secured(tls.ports[name]!);
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
    expect(tls.stack.log.join('')).toContain(`"port":${tls.ports[name]!}`);
  });

  it('of the bank answers health checks, once on each further connection', async () => {
    const { status, headers, json } = await askBank('/health/live');
    expect([status, json, headers['connection']]).toEqual([200, { status: 'live' }, 'close']);
  });

  it('of the bank refuses everything else, before the credential', async () => {
    const { status, headers } = await askBank('/bank/v1/tpps');
    expect([status, headers['connection'], headers['retry-after']]).toEqual([503, 'close', '1']);
  });

  it('of the bank answers health checks while other connections are silent', async () => {
    for (let count = 0; count < 100; count++) opened.push(await silent(tls.ports['BANK_PORT']!));
    expect((await askBank('/health/live')).status).toBe(200);
    expect((await askBank('/bank/v1/tpps')).status).toBe(503);
    const { server } = tls.stack.gateway.bankServer;
    await until(async () => (await openConnections(server)) <= places + 16);
  });

  it('accepts a new one in the place of one that ends', async () => {
    opened[0]!.destroy();
    await until(async () => {
      const answer = await sendRaw(tls.ports['PORT']!, requestText('GET', `${base}/accounts`, []), secured).catch(
        () => undefined,
      );
      return answer?.status === 401;
    });
  });

  it('of the bank answers every request again after connections have ended', async () => {
    for (const socket of opened) socket.destroy();
    await until(async () => (await askBank('/bank/v1/tpps', ['Connection: close'])).status === 401);
  });
});
