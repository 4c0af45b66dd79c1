import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kitServices } from '../../../../packages/adapter-kit/kit-services.js';
import { FineractStub } from '../../../../test/cores/fineract/fineract-stub.js';
import { smallBank, smallBankVariables } from '../../../../test/cores/fineract/small-bank.js';
import { CertificateAuthority } from '../../../../test/support/certificates.js';
import { faultOf } from '../../../../test/support/core-fault.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { FineractClient } from './fineract.client.js';
import { readFineractSettings } from './fineract.settings.js';

describe('the client of Fineract', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function listening(server: Server | TcpServer): Promise<number> {
    server.listen(0, '127.0.0.1');
    closing.push(() => ('closeAllConnections' in server && server.closeAllConnections(), server.close()));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  function clientOf(url: string, variables: Readonly<Record<string, string>> = {}): FineractClient {
    const merged: Record<string, string> = { ...smallBankVariables, ...variables };
    const given = Object.entries(merged).filter(([, value]) => value !== '');
    const client = new FineractClient(
      readFineractSettings({ url, connections: 4, variables: Object.fromEntries(given) }),
      kitServices.http,
    );
    closing.push(() => client.close());
    return client;
  }
  const deadline = (): { signal: AbortSignal; interactionId: string } => ({
    signal: AbortSignal.timeout(2000),
    interactionId: '5a7f1c1e-0d1b-4c9e-9f60-3f3f6f1f7a11',
  });

  async function answering(listener: RequestListener): Promise<FineractClient> {
    return clientOf(`http://127.0.0.1:${await listening(createServer(listener))}/fineract-provider/api`);
  }
  const json = { 'content-type': 'application/json;charset=UTF-8' };

  describe('a call', () => {
    it('names the tenant, the user and the interaction, below the configured path', async () => {
      let seen: IncomingMessage | undefined;
      const client = await answering((request, answer) => {
        seen = request;
        answer.writeHead(200, json).end('{"amount":12.340000}');
      });
      expect((await client.read('/v1/clients/7', deadline())).body).toEqual({ amount: '\u000112.340000' });
      expect(seen?.url).toBe('/fineract-provider/api/v1/clients/7');
      expect(seen?.headers).toMatchObject({
        'fineract-platform-tenantid': 'bank',
        'x-correlation-id': '5a7f1c1e-0d1b-4c9e-9f60-3f3f6f1f7a11',
        authorization: `Basic ${Buffer.from('gateway:core-password').toString('base64')}`,
      });
    });

    it('returns the time of Fineract’s answer if it has a Date header', async () => {
      const dated = await answering((_, answer) => {
        answer.writeHead(200, { ...json, date: 'Mon, 15 Jun 2026 12:00:00 GMT' }).end('{}');
      });
      expect((await dated.read('/', deadline())).at).toEqual(new Date('2026-06-15T12:00:00Z'));
      const undated = await answering((_, answer) => {
        answer.sendDate = false;
        answer.writeHead(200, json).end('{}');
      });
      expect(await undated.read('/', deadline())).not.toHaveProperty('at');
    });
  });

  const words = 'Client 4711 of Zoë Ó Briain, core-password, Error at org.apache.fineract';
  const platformError = (code: string): string =>
    JSON.stringify({
      developerMessage: words,
      errors: [{ defaultUserMessage: words, userMessageGlobalisationCode: code }],
    });

  describe('every fault is one CoreError, without a word of the core’s', () => {
    it.each([
      [400, {}, '', 'bad-record', undefined],
      [401, {}, '', 'bad-record', undefined],
      [403, {}, platformError('error.msg.not.authorized'), 'bad-record', undefined],
      [404, {}, platformError('error.msg.saving.account.id.invalid'), 'account-not-found', undefined],
      [404, {}, platformError('error.msg.client.id.invalid'), 'account-not-found', undefined],
      [404, {}, platformError('error.msg.datatable.not.found'), 'bad-record', undefined],
      [404, {}, '{"errors":null}', 'bad-record', undefined],
      [404, {}, 'null', 'bad-record', undefined],
      [404, {}, '{"errors":[null]}', 'bad-record', undefined],
      [404, {}, '<html>', 'bad-record', undefined],
      [429, { 'retry-after': '7' }, '', 'rate-limited', 7],
      [429, { 'retry-after': 'Fri, 20 Nov 2026 15:00:00 GMT' }, '', 'rate-limited', undefined],
      [500, {}, words, 'bad-record', undefined],
      [502, {}, '', 'unavailable', undefined],
      [503, { 'retry-after': '120' }, platformError('error.msg.platform.service.unavailable'), 'unavailable', 120],
      [504, {}, '', 'unavailable', undefined],
      [302, { location: 'http://127.0.0.1:1/' }, '', 'bad-record', undefined],
      [204, {}, '', 'bad-record', undefined],
    ])('%i with %j and %s', async (status, headers, body, kind, retryAfterSeconds) => {
      const client = await answering((_, answer) => void answer.writeHead(status, { ...json, ...headers }).end(body));
      const fault = await faultOf(client.read('/', deadline()));
      expect([fault.kind, fault.retryAfterSeconds]).toEqual([kind, retryAfterSeconds]);
      expect(fault.message).not.toMatch(/4711|Zoë|core-password|org\.apache/);
    });

    it.each([
      ['HTML', { 'content-type': 'text/html' }, '<html>'],
      ['JSON that does not parse', json, `{"name":"${words}"`],
      ['nothing', json, ''],
    ])('200 with %s', async (_, headers, body) => {
      const client = await answering((_request, answer) => void answer.writeHead(200, headers).end(body));
      const fault = await faultOf(client.read('/', deadline()));
      expect([fault.kind, fault.message]).toEqual(['bad-record', expect.not.stringContaining('4711')]);
    });

    it('more than it may send', async () => {
      const client = await answering((_, answer) => {
        answer.writeHead(200, json);
        const more = (): void => {
          while (!answer.destroyed && answer.write(' '.repeat(65_536)));
        };
        answer.on('drain', more);
        more();
      });
      expect((await faultOf(client.read('/', deadline()))).kind).toBe('bad-record');
    });

    it('an answer that breaks off', async () => {
      const client = await answering((_, answer) => {
        answer.writeHead(200, { ...json, 'content-length': '100' }).write('{"id":');
        setTimeout(() => answer.destroy(), 20);
      });
      expect((await faultOf(client.read('/', deadline()))).kind).toBe('unavailable');
    });

    it('something that is not HTTP, and nothing at all', async () => {
      const port = await listening(createTcpServer((socket) => socket.end('220 ftp ready\r\n\r\n')));
      expect((await faultOf(clientOf(`http://127.0.0.1:${port}`).read('/', deadline()))).kind).toBe('bad-record');
      expect((await faultOf(clientOf('http://127.0.0.1:1').read('/', deadline()))).kind).toBe('unavailable');
    });

    it('silence until the deadline, also while waiting for a connection, with nothing left behind', async () => {
      const client = await answering(() => undefined);
      const calls = Array.from({ length: 12 }, () => faultOf(client.read('/', { signal: AbortSignal.timeout(50) })));
      // Each ends at its own deadline. No call is answered, so a call that waited for another would wait for ever.
      for (const fault of await Promise.all(calls)) expect(fault.kind).toBe('timeout');
      expect((await faultOf(client.read('/', { signal: AbortSignal.abort() }))).kind).toBe('timeout');
    });
  });

  describe('TLS', () => {
    const authority = new CertificateAuthority();
    const folder = mkdtempSync(join(tmpdir(), 'fineract-client-'));
    const { certificatePem: cert, keyPem: key } = authority.issue('fineract');
    const secure = async (): Promise<string> =>
      `https://127.0.0.1:${await listening(createTlsServer({ cert, key }, (_, answer) => void answer.writeHead(200, json).end('{}')))}`;
    const trusting = (pem: string): Record<string, string> => {
      const file = join(folder, `${Math.random()}.pem`);
      writeFileSync(file, pem);
      return { CORE_CA_FILE: file };
    };

    it('trusts a server with a certificate of the configured authority', async () => {
      const client = clientOf(await secure(), trusting(authority.certificatePem));
      expect((await client.read('/', deadline())).body).toEqual({});
    });

    it('refuses every other server before it sends the credentials', async () => {
      const other = new CertificateAuthority('another authority');
      const url = await secure();
      for (const variables of [trusting(other.certificatePem), {}])
        expect((await faultOf(clientOf(url, variables).read('/', deadline()))).kind).toBe('unavailable');
    });
  });

  describe('a client’s token', () => {
    let stub: FineractStub;
    let asked: { headers: IncomingMessage['headers']; body: string }[] = [];
    let answer: { status?: number; delayMs?: number; body?: object };
    let tokenUrl: string;
    let issued: number;

    beforeEach(async () => {
      asked = [];
      answer = {};
      issued = 0;
      stub = await FineractStub.start({ model: smallBank(), clock: new FakeClock(0) });
      closing.push(() => stub.close());
      const port = await listening(
        createServer((request, response) => {
          let body = '';
          request.on('data', (chunk) => (body += chunk));
          request.on('end', () => {
            asked.push({ headers: request.headers, body });
            const token = `token-${++issued}`;
            stub.tokens.add(token);
            const grant = { access_token: token, token_type: 'Bearer', expires_in: 300 };
            setTimeout(
              () => response.writeHead(answer.status ?? 200, json).end(JSON.stringify({ ...grant, ...answer.body })),
              answer.delayMs ?? 0,
            );
          });
        }),
      );
      tokenUrl = `http://127.0.0.1:${port}/token`;
    });
    const client = (): FineractClient =>
      clientOf(stub.url, {
        CORE_USERNAME: '',
        CORE_PASSWORD: '',
        CORE_TOKEN_URL: tokenUrl,
        CORE_CLIENT_ID: 'the gateway',
        CORE_CLIENT_SECRET: 'a:secret&',
      });
    const path = '/v1/clients/7';

    it('is fetched with the client’s credentials, once for fifty calls at a time and all that follow', async () => {
      const core = client();
      answer = { delayMs: 30 };
      await Promise.all(Array.from({ length: 50 }, () => core.read(path, deadline())));
      await core.read(path, deadline());
      expect(asked.map(({ headers, body }) => [headers.authorization, body])).toEqual([
        [`Basic ${Buffer.from('the+gateway:a%3Asecret%26').toString('base64')}`, 'grant_type=client_credentials'],
      ]);
      expect(new Set(stub.calls.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer token-1']));
    });

    it('is fetched again shortly before it expires', async () => {
      const core = client();
      answer = { body: { expires_in: 0.1 } };
      await core.read(path, deadline());
      await new Promise((resolve) => setTimeout(resolve, 60));
      await core.read(path, deadline());
      expect(asked).toHaveLength(2);
    });

    it('that Fineract refuses is fetched again, once', async () => {
      const core = client();
      await core.read(path, deadline());
      stub.tokens.clear();
      await Promise.all(Array.from({ length: 10 }, () => core.read(path, deadline())));
      expect(asked).toHaveLength(2);
      stub.tokens.clear();
      stub.intercept = (_, response) => (response.writeHead(401).end(), 'handled');
      expect((await faultOf(core.read(path, deadline()))).kind).toBe('bad-record');
      expect(asked).toHaveLength(3);
    });

    it('is waited for until the call’s own deadline, which ends no other call’s waiting', async () => {
      const core = client();
      answer = { delayMs: 100 };
      const hasty = faultOf(core.read(path, { signal: AbortSignal.timeout(20) }));
      const patient = core.read(path, deadline());
      expect((await hasty).kind).toBe('timeout');
      await patient;
      expect(asked).toHaveLength(1);
      expect((await faultOf(core.read(path, { signal: AbortSignal.abort() }))).kind).toBe('timeout');
    });

    it.each([
      [{ status: 401 }, 'bad-record'],
      [{ status: 400 }, 'bad-record'],
      [{ status: 503 }, 'unavailable'],
      [{ body: { access_token: 'two\r\nlines' } }, 'bad-record'],
      [{ body: { access_token: undefined } }, 'bad-record'],
      [{ body: { token_type: 'mac' } }, 'bad-record'],
    ])('that is refused or none (%j) is a fault without a secret in it, and asked for again', async (given, kind) => {
      const core = client();
      answer = given;
      const fault = await faultOf(core.read(path, deadline()));
      expect([fault.kind, fault.message]).toEqual([kind, expect.not.stringMatching(/token-1|secret&|two/)]);
      answer = {};
      await core.read(path, deadline());
    });

    it('endpoint that cannot be reached is a fault of availability', async () => {
      tokenUrl = 'http://127.0.0.1:1/token';
      expect((await faultOf(client().read(path, deadline()))).kind).toBe('unavailable');
    });
  });
});
