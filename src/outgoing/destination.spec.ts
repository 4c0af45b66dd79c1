import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { Destination, type OutgoingCall } from './destination.js';
import { createHttpService } from './http-service.js';
import { OutgoingFault } from './outgoing-fault.js';

const secret = 'a-credential-of-ours';
const theirs = 'words-of-the-answer';
const limits = { deadlineMs: 60_000, mostBytes: 1_000 };
const http = createHttpService();

const faultOf = (asked: Promise<unknown>): Promise<OutgoingFault> =>
  asked.then(
    () => Promise.reject(new Error('it was answered')),
    (error: unknown) => error as OutgoingFault,
  );

describe('a call to another server', () => {
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let server: Server;
  let url: string;
  const destination = new Destination(http, {});
  const ask = (call: Partial<OutgoingCall> = {}) =>
    destination.ask({ url, headers: { authorization: `Bearer ${secret}` }, ...limits, ...call });

  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/asked`;
  });
  beforeEach(() => {
    answer = (_request, response) => response.end(theirs);
  });
  afterAll(() => {
    destination.close();
    server.closeAllConnections();
    server.close();
  });

  it('returns the body of a 200 that has exactly the allowed size', async () => {
    const { status, body } = await ask({ mostBytes: theirs.length });
    expect([status, body.toString()]).toEqual([200, theirs]);
  });

  it('refuses a body of one byte more', async () => {
    expect(await faultOf(ask({ mostBytes: theirs.length - 1 }))).toMatchObject({ kind: 'too-large' });
  });

  it.each([204, 301, 302, 307, 404, 500])(
    'returns the status %d without its body, and follows no redirect',
    async (code) => {
      const asked: (string | undefined)[] = [];
      answer = (request, response) => {
        asked.push(request.url);
        response.writeHead(code, { location: '/elsewhere' }).end();
      };
      expect(await ask()).toEqual({ status: code, body: Buffer.alloc(0) });
      expect(asked).toEqual(['/asked']);
    },
  );

  it('cuts off a body of any length under any other status', async () => {
    const cut = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        response.on('close', () => resolve()).writeHead(404);
        response.write('x'.repeat(100_000));
      };
    });
    // The deadline, which would also cut the body off, is far away.
    expect((await ask({ deadlineMs: 3_600_000 })).status).toBe(404);
    await cut;
  });

  it('has a deadline for the whole answer, which a slow trickle of bytes does not extend', async () => {
    answer = (_request, response) => {
      const drip = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(drip));
    };
    expect(await faultOf(ask({ deadlineMs: 100 }))).toMatchObject({ kind: 'late' });
  });

  it.each<[string, typeof answer]>([
    ['is silent', () => undefined],
    ['closes the connection', (request) => request.socket.destroy()],
    [
      'breaks off within the body',
      (request, response) => {
        response.writeHead(200, { 'content-length': 500 }).write(theirs, () => request.socket.destroy());
      },
    ],
    ['sends too much', (_request, response) => response.end(theirs.repeat(1_000))],
    ['sends bytes that are not HTTP', (request) => request.socket.end(`${theirs}\r\n\r\n`)],
    [
      'announces a compressed body and sends a plain one',
      (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(theirs);
      },
    ],
  ])('fails with nothing of the call or the answer when the server %s', async (_what, act) => {
    answer = act;
    const fault = await faultOf(ask({ deadlineMs: 300, method: 'POST', body: `secret=${secret}` }));
    expect(fault).toBeInstanceOf(OutgoingFault);
    const told = inspect(fault, { depth: Infinity, showHidden: true });
    expect(told).not.toContain(secret);
    expect(told).not.toContain(theirs);
    expect(told).not.toContain(Buffer.from(theirs).toString('hex').slice(0, 12));
    expect(JSON.stringify(fault)).not.toMatch(/axios|config|headers/i);
  });

  it('names the address at which no server listens', async () => {
    const free = createTcpServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    expect(await faultOf(ask({ url: `http://127.0.0.1:${port}/` }))).toMatchObject({
      kind: 'unreachable',
      code: 'ECONNREFUSED',
      address: '127.0.0.1',
      port,
    });
  });

  it('ignores the proxy variables of the environment', async () => {
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'all_proxy', 'ALL_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = 'http://127.0.0.1:9';
    try {
      expect((await ask()).status).toBe(200);
      expect((await http.axiosRef.get<string>(url)).data).toBe(theirs);
    } finally {
      names.forEach((name, index) => {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      });
    }
  });

  describe('through the HttpService itself, as an adapter makes it,', () => {
    const get = (config: object = {}) =>
      http.axiosRef.get<string>(url, { auth: { username: 'us', password: secret }, ...config });

    it.each([302, 404, 500])('throws the status %d and nothing of the call or the answer', async (code) => {
      answer = (_request, response) => response.writeHead(code, { location: '/elsewhere' }).end(theirs);
      const fault = await faultOf(get());
      expect(fault).toMatchObject({ name: 'OutgoingFault', kind: 'status', status: code });
      const told = inspect(fault, { depth: Infinity, showHidden: true });
      expect(told).not.toContain(secret);
      expect(told).not.toContain(theirs);
    });

    it('has a limit of size and a deadline, also where the caller states none', async () => {
      answer = (_request, response) => response.end(theirs.repeat(100_000));
      expect(await faultOf(get())).toMatchObject({ kind: 'too-large' });
      answer = () => undefined;
      expect(await faultOf(get({ timeout: 50 }))).toMatchObject({ kind: 'late' });
      expect(await faultOf(get({ timeout: 0, signal: AbortSignal.timeout(50) }))).toMatchObject({ kind: 'late' });
      expect(await faultOf(get({ signal: AbortSignal.abort() }))).toMatchObject({ kind: 'aborted' });
    });
  });
});

describe('a call to an address that a TPP states', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]'])(
    'does not connect to this machine as %s',
    async (host) => {
      let connections = 0;
      const inside = createTcpServer((socket) => {
        connections++;
        socket.destroy();
      }).listen(0);
      await once(inside, 'listening');
      const { port } = inside.address() as AddressInfo;
      const destination = new Destination(http, { publicOnly: true });
      for (const scheme of ['http', 'https']) {
        const failed = await faultOf(destination.ask({ url: `${scheme}://${host}:${port}/`, headers: {}, ...limits }));
        expect(failed.cause).toEqual(expect.objectContaining({ name: 'NotPublic' }));
      }
      inside.close();
      expect(connections).toBe(0);
    },
  );
});
