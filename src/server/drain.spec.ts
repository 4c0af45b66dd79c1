import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { CertificateAuthority } from '../../test/support/certificates.js';
import { until } from '../../test/support/until.js';
import { drainable, type Drain } from './drain.js';
import { answerInTurn } from './in-turn.js';

const patienceMs = 30_000;
/** More than the kernel keeps for a connection. */
const longLength = 20_000_000;
const certified = new CertificateAuthority().issue('127.0.0.1');
const kinds: Readonly<Record<string, { make: (listener: RequestListener) => Server; open: (port: number) => Socket }>> =
  {
    'plain HTTP': { make: createServer, open: (port) => connect(port, '127.0.0.1') },
    TLS: {
      make: (listener) => createTlsServer({ cert: certified.certificatePem, key: certified.keyPem }, listener),
      open: (port) => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }),
    },
  };

describe.each(Object.entries(kinds))('a listener of %s that is drained', (_name, { make, open }) => {
  let server: Server;
  let drain: Drain;
  /** Requests to `/held` that have come, to be answered by the test. */
  let held: ServerResponse[];
  /** Answers to `/long`, which are handed over to Node and not sent yet. */
  let longAnswers: ServerResponse[];
  let clients: Client[];
  let port: number;
  beforeEach(async () => {
    held = [];
    longAnswers = [];
    clients = [];
    server = make(({ url }, response) => {
      if (url === '/held') held.push(response);
      else if (url === '/long') longAnswers.push(response.end('x'.repeat(longLength)));
      else response.end('answered');
    });
    // Node's own five seconds for a next request would end connections of a test that a busy machine slows down.
    server.keepAliveTimeout = 600_000;
    answerInTurn(server);
    drain = drainable(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    for (const { socket } of clients) socket.destroy();
    for (const response of held) response.destroy();
    await drain.finish();
  });

  /** A connection, and the answers on it. */
  async function client(socket = open(port)): Promise<Client> {
    const made: Client = { socket, received: '', ended: false };
    clients.push(made);
    socket.on('data', (chunk: Buffer) => (made.received += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => (made.ended = true));
    await once(socket, 'encrypted' in socket ? 'secureConnect' : 'connect');
    return made;
  }

  const text = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: gateway\r\n\r\n`;
  const answers = ({ received }: Client): number => received.split('HTTP/1.1 200 OK').length - 1;
  const answersOf = (who: Client, count: number): Promise<void> => until(() => answers(who) === count, patienceMs);
  const end = (who: Client): Promise<void> => until(() => who.ended, patienceMs);

  it('goes on answering once it is announced, each time as the last on the connection', async () => {
    const known = await client();
    known.socket.write(text('/'));
    await answersOf(known, 1);
    expect(known.received.toLowerCase()).not.toContain('connection: close');
    drain.announce();
    const fresh = await client();
    for (const each of [known, fresh]) {
      each.socket.write(text('/'));
      await end(each);
      expect(each.received.toLowerCase()).toContain('connection: close');
    }
    expect([answers(known), answers(fresh)]).toEqual([2, 1]);
  });

  it('announces it on requests that were under way already', async () => {
    const waiting = await client();
    waiting.socket.write(text('/held'));
    await until(() => held.length === 1, patienceMs);
    drain.announce();
    held[0]?.end('answered');
    await end(waiting);
    expect(waiting.received.toLowerCase()).toContain('connection: close');
    expect(answers(waiting)).toBe(1);
  });

  it('closes no connection before it is finished', async () => {
    const idle = await client();
    idle.socket.write(text('/'));
    await answersOf(idle, 1);
    const silent = await client();
    // Under TLS it does not begin its handshake.
    const mute = await client(connect(port, '127.0.0.1'));
    drain.announce();
    // Another connection was answered and closed meanwhile, so anything that closes these has had its turn.
    const other = await client();
    other.socket.write(text('/'));
    await end(other);
    expect([idle.ended, silent.ended, mute.ended]).toEqual([false, false, false]);
    const finished = drain.finish();
    await Promise.all([end(idle), end(silent), end(mute), finished]);
  });

  it.each([
    ['a first request', 0],
    ['a next request', 1],
  ])('answers %s of which half has come when it takes no connection any more', async (_which, before) => {
    const half = await client();
    if (before > 0) half.socket.write(text('/'));
    await answersOf(half, before);
    half.socket.write('GET /held HTTP/1.1\r\nho');
    const seen = await client();
    seen.socket.write(text('/held'));
    await until(() => held.length === 1, patienceMs);
    drain.announce();
    const finished = drain.finish();
    await refused();
    // Longer than silence is waited for, and many looks at who is silent.
    held[0]?.end('answered');
    await end(seen);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(half.ended).toBe(false);
    half.socket.write('st: gateway\r\n\r\n');
    await until(() => held.length === 2, patienceMs);
    held[1]?.end('answered');
    await Promise.all([end(half), finished]);
    expect(answers(half)).toBe(before + 1);
    expect(half.received.toLowerCase()).toContain('connection: close');
  });

  it('answers both of two requests that were sent at once, before and after it is announced', async () => {
    const before = await client();
    before.socket.write(text('/held') + text('/held'));
    await until(() => held.length === 1, patienceMs);
    drain.announce();
    const after = await client();
    after.socket.write(text('/held') + text('/held'));
    await until(() => held.length === 2, patienceMs);
    const finished = drain.finish();
    for (const response of held) response.end('answered');
    await until(() => held.length === 4, patienceMs);
    for (const response of held.slice(2)) response.end('answered');
    await Promise.all([end(before), end(after), finished]);
    expect([answers(before), answers(after)]).toEqual([2, 2]);
  });

  it('answers a client that has connected and sends its first request after the listener has closed', async () => {
    const fresh = await Promise.all(Array.from({ length: 20 }, () => client()));
    await until(async () => (await openConnections()) === fresh.length, patienceMs);
    drain.announce();
    // The time in which a client may be silent does not end, however slow the machine is.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const finished = drain.finish();
    await refused();
    // Unused connections are closed several times in this time.
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const each of fresh) each.socket.write(text('/'));
    await Promise.all([...fresh.map(end), finished]);
    clock.mockRestore();
    expect(fresh.map(answers)).toEqual(fresh.map(() => 1));
  });

  it('sends the whole of a long answer to a client that reads it late', async () => {
    const slow = await client();
    slow.socket.pause();
    slow.socket.write(text('/long'));
    await until(() => longAnswers.length === 1, patienceMs);
    drain.announce();
    const finished = drain.finish();
    await refused();
    // Unused connections are closed several times in this time.
    await new Promise((resolve) => setTimeout(resolve, 500));
    slow.socket.resume();
    await Promise.all([end(slow), finished]);
    expect(slow.received.split('\r\n\r\n')[1]).toHaveLength(longLength);
  });

  it('answers a request that arrives in the moment in which it is finished', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => client()));
    for (const each of many) {
      each.socket.write(text('/'));
      await answersOf(each, 1);
    }
    drain.announce();
    // On their way before it is finished, and not read yet.
    for (const each of many) each.socket.write(text('/'));
    await drain.finish();
    await Promise.all(many.map(end));
    expect(many.map(answers)).toEqual(many.map(() => 2));
  });

  const openConnections = (): Promise<number> =>
    new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

  async function refused(): Promise<void> {
    let isRefused = false;
    while (!isRefused) {
      const socket = connect(port, '127.0.0.1');
      isRefused = await once(socket, 'connect').then(
        () => false,
        () => true,
      );
      socket.destroy();
    }
  }
});

interface Client {
  readonly socket: Socket;
  received: string;
  ended: boolean;
}
