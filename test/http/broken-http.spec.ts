import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anyUuid, oneError } from '../support/error-shape.js';
import { portOf, readToEnd, requestText, sendRaw, type RawAnswer } from '../support/raw-http.js';
import { base, Stack, type ConsentedCustomer } from '../support/stack.js';
import { until } from '../support/until.js';

const invalid = oneError({ Code: '400 BadRequest', ErrorCode: 'UK.OBIE.Resource.InvalidFormat' });
const foreignTarget = oneError({ Code: '400 BadRequest', ErrorCode: 'UK.OBIE.Header.Invalid', Path: 'Host' });
const foreignNeutral = oneError({ ErrorCode: 'header-invalid', Path: 'Host' });
const twoCredentials = oneError({ Code: '400 BadRequest', ErrorCode: 'UK.OBIE.Header.Invalid', Path: 'Authorization' });

describe('bytes on a socket', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let bearer: string;
  beforeAll(async () => {
    stack = await Stack.start();
    customer = await stack.consent({ persona: 'saver' });
    bearer = `Authorization: Bearer ${customer.token}`;
    await stack.gateway.listen();
  });
  afterAll(() => stack.close());

  const send = (text: string): Promise<RawAnswer> => sendRaw(portOf(stack.gateway.server), text);
  const records = (): unknown[] => stack.log.flatMap((line) => (JSON.parse(line) as { access?: unknown }).access ?? []);
  const get = (target: string, ...headers: string[]): Promise<RawAnswer> =>
    send(requestText('GET', target, [bearer, ...headers]));

  it.each([
    ['are not HTTP', 'GARBAGE\r\n\r\n', 'a method in capital letters'],
    ['name an unknown method', `BREW ${base}/accounts HTTP/1.1\r\nHost: x\r\n\r\n`, 'a method in capital letters'],
    [
      'have a space in the target',
      `GET ${base}/accounts?a=b c HTTP/1.1\r\nHost: x\r\n\r\n`,
      'percent-encode the spaces',
    ],
    ['have other letters in the target', `GET ${base}/é HTTP/1.1\r\nHost: x\r\n\r\n`, 'not plain ASCII'],
    ['ask for a tunnel', 'CONNECT bank.example:443 HTTP/1.1\r\nHost: bank.example:443\r\n\r\n', 'asks a proxy'],
    ['name a version that does not exist', `GET ${base}/accounts HTTP/9.9\r\nHost: x\r\n\r\n`, 'end with HTTP/1.1'],
    ['hold a broken header', `GET ${base}/accounts HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n`, 'a header has a character'],
    [
      'hold a header with a control character',
      `GET ${base}/accounts HTTP/1.1\r\nHost: x\r\nA: \u0001\r\n\r\n`,
      'a header has a character',
    ],
    [
      'say two lengths',
      `POST ${base}/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx`,
      'one number of bytes',
    ],
    [
      'say a length and chunks',
      `POST ${base}/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'and not both',
    ],
  ])(
    'that %s are 400 in the shape of every error, with an interaction id and the fault, and leave a record',
    async (_name, text, fault) => {
      stack.log.length = 0;
      const { status, json, headers } = await send(text);
      expect([status, json]).toEqual([400, invalid]);
      expect(json.Errors[0].Message).toContain(fault);
      expect(headers['x-fapi-interaction-id']).toMatch(anyUuid);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(records()).toEqual([{ interactionId: headers['x-fapi-interaction-id'], status: 400 }]);
    },
  );

  it('that break within a body are 400 for its request, which leaves one access record', async () => {
    const id = '93BAC548-D2DE-4546-B106-880A5018460D';
    const client = `Authorization: Bearer ${await stack.clientToken()}`;
    stack.log.length = 0;
    const { status, json, headers } = await send(
      requestText('POST', `${base}/account-access-consents`, [
        client,
        `X-Fapi-Interaction-Id: ${id}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ]) + '5\r\n{"Dat\r\nzz\r\n',
    );
    expect([status, json, headers['x-fapi-interaction-id']]).toEqual([400, invalid, id]);
    await until(() => records().length > 0);
    expect(records()).toEqual([
      expect.objectContaining({ interactionId: id.toLowerCase(), method: 'POST', status: 400 }),
    ]);
  });

  it('that are incomplete at the deadline are 408 in the form of every error', async () => {
    const { server } = stack.gateway.server;
    expect(server.requestTimeout).toBe(30_000);
    server.once('connection', (socket) =>
      server.emit('clientError', Object.assign(new Error('x'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
    );
    const { status, json } = await send('GET');
    expect([status, json]).toEqual([
      408,
      oneError({ Code: '408 RequestTimeout', ErrorCode: 'UK.OBIE.Resource.InvalidFormat' }),
    ]);
  });

  it('that lack a Host are refused after the token check, in the form of every error', async () => {
    const bare = `GET ${base}/accounts HTTP/1.1\r\nConnection: close\r\n`;
    const refused = await send(`${bare}${bearer}\r\n\r\n`);
    expect([refused.status, refused.json]).toEqual([
      400,
      oneError({ Code: '400 BadRequest', ErrorCode: 'UK.OBIE.Header.Invalid', Path: 'Host' }),
    ]);
    expect(refused.headers['x-fapi-interaction-id']).toMatch(anyUuid);
    expect((await send(`${bare}\r\n`)).status).toBe(401);
  });

  it('of HTTP/1.0 need no Host', async () => {
    expect((await send(`GET ${base}/accounts HTTP/1.0\r\n${bearer}\r\n\r\n`)).status).toBe(200);
  });

  it.each([`https://gateway.example${base}/accounts`, `HTTPS://Gateway.Example:443${base}/accounts`])(
    'with the absolute form of a target of the gateway, %s, are answered, and links stay on the base URL',
    async (target) => {
      const { status, json } = await get(target);
      expect([status, json.Links]).toEqual([200, { Self: `https://gateway.example${base}/accounts` }]);
    },
  );

  it.each([
    `http://evil.example${base}/accounts`,
    `https://evil.example${base}/accounts`,
    `https://gateway.example@evil.example${base}/accounts`,
    `https://gateway.example:8443${base}/accounts`,
    `https://gateway.example.evil.example${base}/accounts`,
    'http://evil.example/docs',
    'http://evil.example/openapi.json',
    'http:///open-banking',
  ])('with a target of another host, %s, are 400 before the token, and on public paths', async (target) => {
    stack.log.length = 0;
    for (const headers of [[], [bearer]]) {
      const { status, json, headers: answered } = await send(requestText('GET', target, headers));
      const isBelowBase = target.includes(base);
      expect([status, json]).toEqual([400, isBelowBase ? foreignTarget : foreignNeutral]);
      expect([answered['x-fapi-interaction-id'], answered['connection']]).toEqual([
        expect.stringMatching(anyUuid),
        'close',
      ]);
    }
    expect(records()).toEqual([
      expect.objectContaining({ status: 400, refusedBy: 'host' }),
      expect.objectContaining({ status: 400, refusedBy: 'host' }),
    ]);
  });

  it('with two Authorization headers are 400, in either order and spelling, before a token is checked', async () => {
    const other = 'Authorization: Bearer nonsense';
    for (const headers of [
      [bearer, other],
      [other, bearer],
      [bearer, bearer],
      [bearer, 'AUTHORIZATION: Basic eDp5'],
      [bearer, 'authorization:'],
    ]) {
      stack.log.length = 0;
      const { status, json } = await send(requestText('GET', `${base}/accounts`, headers));
      expect([headers, status, json]).toEqual([headers, 400, twoCredentials]);
      expect(records()).toEqual([expect.objectContaining({ status: 400, refusedBy: 'token' })]);
    }
    const unknown = await send(requestText('GET', `${base}/nothing`, [bearer, other]));
    expect([unknown.status, unknown.json]).toEqual([400, twoCredentials]);
  });

  it.each(['%2e%2e/package.json', '%2e%2e%2f%2e%2e/package.json', '%00', 'a'.repeat(5_000), 'nothing.js'])(
    'that ask the documentation for the file %s, which it does not serve, are 404 and raise no alarm',
    async (file) => {
      stack.log.length = 0;
      const { status, json } = await send(requestText('GET', `/docs/static/${file}`, []));
      expect([status, json]).toEqual([404, oneError({ ErrorCode: 'path-unknown' })]);
      expect(stack.log.filter((line) => (JSON.parse(line) as { level: number }).level > 30)).toEqual([]);
      expect(stack.log.join('')).not.toContain('stack');
    },
  );

  it('with a path that cannot be decoded are 401 or 404 with an interaction id', async () => {
    const id = '93BAC548-D2DE-4546-B106-880A5018460D';
    const { status, json, headers } = await get(`${base}/accounts/%zz`, `X-Fapi-Interaction-Id: ${id}`);
    expect([status, headers['x-fapi-interaction-id'], json]).toEqual([
      404,
      id,
      oneError({ Code: '404 NotFound', ErrorCode: 'UK.AIG.Path.Unknown' }),
    ]);
    expect((await send(requestText('GET', `${base}/accounts/%zz`, []))).status).toBe(401);
  });

  it('with an AccountId of 16 kB are refused like any account that was not selected', async () => {
    const { status, json } = await get(`${base}/accounts/${'a'.repeat(16_384)}/balances`);
    expect([status, json]).toEqual([
      403,
      oneError({ Code: '403 Forbidden', ErrorCode: 'UK.AIG.Consent.AccountNotSelected', Path: 'AccountId' }),
    ]);
  });

  it('with more headers than any request needs are 431, in the form of every error', async () => {
    const { status, json, headers } = await get(`${base}/accounts`, `X-Long: ${'a'.repeat(40_000)}`);
    expect([status, json]).toEqual([
      431,
      oneError({ Code: '431 HeadersTooLarge', ErrorCode: 'UK.OBIE.Header.Invalid' }),
    ]);
    expect(headers['x-fapi-interaction-id']).toMatch(anyUuid);
  });

  it.each([
    ['are not HTTP', '{"a":1}\r\n\r\n'],
    ['begin a request whose header is broken', `GET ${base}/accounts HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n`],
  ])('whose rest %s have the answers of their whole requests first, and then the 400', async (_, rest) => {
    stack.log.length = 0;
    const whole = requestText('GET', `${base}/accounts`, [bearer]).replace('Connection: close\r\n', '');
    const answers = (await readToEnd(portOf(stack.gateway.server), whole + whole + rest)).split(/(?=HTTP\/1\.1 )/);
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(answers[0]).toContain('"AccountId"');
    expect(answers[2]).toContain('The request is not valid HTTP');
    await until(() => records().length === 3);
    expect((records() as { status: number }[]).map(({ status }) => status).sort()).toEqual([200, 200, 400]);
  });

  it('with an expectation are answered all the same', async () => {
    for (const expectation of ['teapot', '100-continue']) {
      const answer = await get(`${base}/accounts`, `Expect: ${expectation}`);
      expect([100, 200]).toContain(answer.status);
    }
  });

  it('with the interaction id twice are refused', async () => {
    const id = 'X-Fapi-Interaction-Id: 93bac548-d2de-4546-b106-880a5018460d';
    expect((await get(`${base}/accounts`, id, id)).json).toEqual(
      oneError({ Code: '400 BadRequest', ErrorCode: 'UK.OBIE.Header.Invalid', Path: 'x-fapi-interaction-id' }),
    );
  });

  it('that announce a body of more than 64 KiB are 413 at once', async () => {
    const announced = ['Content-Type: application/json', 'Content-Length: 70000'];
    const token = `Authorization: Bearer ${await stack.clientToken()}`;
    const { status, json } = await send(requestText('POST', `${base}/account-access-consents`, [token, ...announced]));
    expect([status, json]).toEqual([
      413,
      oneError({ Code: '413 PayloadTooLarge', ErrorCode: 'UK.OBIE.Resource.InvalidFormat' }),
    ]);
  });

  it('that ask for the head get no body', async () => {
    const { status, headers, body } = await send(requestText('HEAD', `${base}/accounts`, [bearer]));
    expect([status, headers['allow'], body]).toEqual([405, 'GET', '']);
    expect(headers['x-fapi-interaction-id']).toMatch(anyUuid);
  });
});
