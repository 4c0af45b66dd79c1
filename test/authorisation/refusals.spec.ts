import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:tls';
import { oneError } from '../support/error-shape.js';
import { sendRaw, type RawAnswer } from '../support/raw-http.js';
import { base } from '../support/stack.js';
import { until } from '../support/until.js';
import { AuthorisationSetting } from './setting.js';
import type { TestTpp } from './tpp.js';

const id = '93bac548-d2de-4546-b106-880a5018460d';

/** One answer for each: whatever the path belongs to, it carries the caller's interaction id and leaves one record. */
describe('a request that no route of the authorization server’s listeners takes', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let token: string;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
    token = (await setting.access(tpp, 'saver')).accessToken;
  }, 60_000);
  afterAll(() => setting.close());

  interface Sent {
    readonly place: 'browser' | 'tpp';
    readonly target: string;
    readonly method?: string;
    readonly host?: string;
    readonly token?: string;
  }

  async function send({ place, target, method = 'GET', host, token: bearer }: Sent): Promise<RawAnswer> {
    const { port, url } = setting.listeners[place];
    const { certificatePem: cert, keyPem: key } = tpp.certified;
    setting.stack.log.length = 0;
    const lines = [
      `${method} ${target} HTTP/1.1`,
      `Host: ${host ?? new URL(url).host}`,
      `x-fapi-interaction-id: ${id}`,
      ...(bearer === undefined ? [] : [`Authorization: Bearer ${bearer}`]),
      'Connection: close',
    ];
    const answer = await sendRaw(port, [...lines, '', ''].join('\r\n'), () =>
      connect({ host: '127.0.0.1', port, ca: setting.places.ca, cert, key }),
    );
    const records = (): unknown[] =>
      setting.stack.log.flatMap((line) => (JSON.parse(line) as { access?: unknown }).access ?? []);
    await until(() => records().length > 0);
    expect(records()).toEqual([expect.objectContaining({ interactionId: id, status: answer.status })]);
    expect(answer.headers['x-fapi-interaction-id']).toBe(id);
    return answer;
  }

  it.each<[number, Sent, string | undefined]>([
    [404, { place: 'browser', target: '/as' }, undefined],
    [405, { place: 'browser', target: '/', method: 'POST' }, 'GET'],
    [404, { place: 'browser', target: '/as/%zz' }, undefined],
    [404, { place: 'browser', target: '/as/dashboard/nothing' }, undefined],
    [404, { place: 'browser', target: `${base}/accounts` }, undefined],
    [404, { place: 'tpp', target: '/as/nothing' }, undefined],
    [405, { place: 'browser', target: '/as/dashboard/sign-in' }, 'POST'],
    [405, { place: 'browser', target: '/as/dashboard', method: 'PUT' }, 'GET'],
    [405, { place: 'browser', target: '/as/jwks', method: 'POST' }, 'GET, HEAD, OPTIONS'],
    [405, { place: 'tpp', target: '/as/token' }, 'POST, OPTIONS'],
    [421, { place: 'browser', target: '/as/dashboard', host: 'evil.example' }, undefined],
    [421, { place: 'tpp', target: '/as/token', host: 'evil.example' }, undefined],
  ])('is answered %i without a body: %o', async (status, sent, allow) => {
    const answer = await send(sent);
    expect([answer.status, answer.body, answer.headers['allow']]).toEqual([status, '', allow]);
  });

  it('is led to the dashboard where it names the bank’s address alone', async () => {
    const answer = await send({ place: 'browser', target: '/' });
    expect([answer.status, answer.headers['location'], answer.body]).toEqual([303, '/as/dashboard', '']);
  });

  it('is answered by the API on its own paths of the TPPs’ listener, in the standard’s shape', async () => {
    const shown = async (sent: Omit<Sent, 'place'>): Promise<unknown> => {
      const { status, json, headers } = await send({ place: 'tpp', token, ...sent });
      return [status, headers['allow'], json];
    };
    expect(await shown({ target: `${base}/nothing` })).toEqual([
      404,
      undefined,
      oneError({ Code: '404 NotFound', ErrorCode: 'UK.AIG.Path.Unknown' }),
    ]);
    expect(await shown({ target: `${base}/accounts`, method: 'PUT' })).toEqual([
      405,
      'GET',
      oneError({ Code: '405 MethodNotAllowed', ErrorCode: 'UK.AIG.Method.NotAllowed' }),
    ]);
    for (const target of [`${base}/accounts`, `${base}/nothing`, `${base}/%zz`, '/'])
      expect([target, await shown({ target, host: 'evil.example' })]).toEqual([
        target,
        [
          421,
          undefined,
          target === '/'
            ? oneError({ ErrorCode: 'misdirected', Path: 'Host' })
            : oneError({ Code: '421 MisdirectedRequest', ErrorCode: 'UK.OBIE.Header.Invalid', Path: 'Host' }),
        ],
      ]);
  });

  it('is refused for its Host header by the TPPs’ listener alone: the API’s own has many names', async () => {
    const { status } = await setting.stack.ask('/accounts', { token, headers: { host: 'any.example' } });
    // The token is bound to the certificate of the other listener.
    expect(status).toBe(401);
  });
});
