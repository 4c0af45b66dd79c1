import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunningClock } from '../support/running-clock.js';
import { DirectoryServer } from './directory-server.js';
import { AuthorisationSetting, type Access } from './setting.js';
import type { TestTpp } from './tpp.js';
import { until } from '../support/until.js';

interface Recorded {
  readonly tpp?: string;
  readonly endpoint?: string;
  readonly [name: string]: unknown;
}

describe('the records of requests to the authorization server', () => {
  let directory: DirectoryServer;
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let access: Access;
  /** The records of the journey and of its tokens, before any test. */
  let journey: readonly Recorded[];
  beforeAll(async () => {
    directory = await DirectoryServer.start(new RunningClock());
    setting = await AuthorisationSetting.start({ authorisationServer: { directory: directory.config } });
    for (const word of ['secret-of-a-customer', 'secret-code', 'not one']) setting.stack.secrets.add(word);
    tpp = await setting.tpp('tpp-one');
    access = await setting.access(tpp, 'saver');
    await tpp.refresh(access.refreshToken);
    await until(() => recordsOf('/as/token').length >= 3);
    journey = records();
  });
  afterAll(async () => {
    await setting.close();
    await directory.close();
  });

  const records = (): Recorded[] =>
    setting.stack.log.flatMap((line) => {
      const { access: recorded } = JSON.parse(line) as { access?: Recorded };
      return recorded === undefined ? [] : [recorded];
    });
  const recordsOf = (endpoint: string, all: readonly Recorded[] = records()): readonly Recorded[] =>
    all.filter((record) => record.endpoint === endpoint);
  const interaction = '93bac548-d2de-4546-b106-880a5018460d';
  const secretPath = '/as/secret-of-a-customer?code=secret-code';
  const post = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    tpp.fetch(`${setting.places.tppUrl}${path}`, { method: 'POST', headers } as never);

  it('state the TPP, the status and the duration of a token request', () => {
    const recorded = recordsOf('/as/token', journey);
    expect(recorded.length).toBeGreaterThanOrEqual(3);
    for (const record of recorded)
      expect(record).toEqual({
        tpp: 'tpp-one',
        issuer: 'embedded',
        interactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        method: 'POST',
        endpoint: '/as/token',
        status: 200,
        durationMs: expect.any(Number),
      });
  });

  it('cover every step of the customer’s way, each once', () => {
    expect(recordsOf('/as/authorize', journey)).toHaveLength(1);
    expect(recordsOf('/as/authorize', journey)[0]).toMatchObject({
      tpp: 'tpp-one',
      issuer: 'embedded',
      method: 'GET',
      status: 303,
    });
    expect(recordsOf('/as/interaction/*', journey).length).toBeGreaterThanOrEqual(4);
    expect(recordsOf('/as/authorize/*', journey)).toHaveLength(1);
    expect(recordsOf('/as/.well-known/openid-configuration', journey).length).toBeGreaterThan(0);
  });

  it('carry the TPP’s interaction id, or a new one if that is malformed, and so does the answer', async () => {
    const answers = [await post('/as/token', { 'x-fapi-interaction-id': interaction })];
    answers.push(await post('/as/token', { 'x-fapi-interaction-id': 'not one' }));
    const [first, second] = answers.map(({ headers }) => headers.get('x-fapi-interaction-id'));
    expect(first).toBe(interaction);
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    await until(() => recordsOf('/as/token').some(({ interactionId }) => interactionId === second));
    expect(recordsOf('/as/token').filter(({ interactionId }) => interactionId === interaction)).toHaveLength(1);
  });

  it('do not name a TPP that did not authenticate', async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'tpp-one' }).toString();
    const answer = await tpp.fetch(`${setting.places.tppUrl}/as/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    } as never);
    const id = answer.headers.get('x-fapi-interaction-id');
    await until(() => recordsOf('/as/token').some(({ interactionId }) => interactionId === id));
    const record = recordsOf('/as/token').find(({ interactionId }) => interactionId === id);
    expect([answer.status, record?.tpp]).toEqual([401, undefined]);
  });

  it('exist for refused requests, and for unknown paths without the path', async () => {
    const foreign = await setting.rawRequest(`${setting.places.tppUrl}/as/token`, 'evil.example');
    expect(foreign).toBe(421);
    await post(secretPath);
    await until(() => records().some(({ status, endpoint }) => status === 404 && endpoint === undefined));
    expect(records().some(({ status, endpoint }) => status === 421 && endpoint === '/as/token')).toBe(true);
  });

  it('of the API on the same listener are made once, by the API', async () => {
    const answer = await tpp.ask('/accounts', access.accessToken);
    const id = answer.headers.get('x-fapi-interaction-id');
    await until(() => records().some(({ interactionId }) => interactionId === id));
    expect(records().filter(({ interactionId }) => interactionId === id)).toHaveLength(1);
  });

  it('are counted in the metrics', async () => {
    await post(secretPath);
    const { body } = await setting.stack.gateway.bankServer.inject({ method: 'GET', url: '/metrics' });
    for (const endpoint of ['/as/token', '/as/authorize', '/as/interaction/*', 'unknown'])
      expect(body).toContain(`gateway_request_duration_seconds_count{endpoint="${endpoint}"`);
    expect(body).not.toContain('secret-of-a-customer');
  });

  it.each<[string, 'issuer' | 'tppUrl', string | undefined]>([
    ['/as/token', 'tppUrl', '/as/token'],
    ['/as/register', 'tppUrl', '/as/register'],
    ['/as/register/0a1b', 'tppUrl', '/as/register/*'],
    ['/as/authorize/abc', 'issuer', '/as/authorize/*'],
    ['/as/interaction/abc', 'issuer', '/as/interaction/*'],
    ['/as/interaction/abc/decision', 'issuer', '/as/interaction/*'],
    ['/as/assets/style.css', 'issuer', '/as/assets/*'],
    ['/as/dashboard', 'issuer', '/as/dashboard'],
    ['/as/dashboard/withdraw/abc', 'issuer', '/as/dashboard/withdraw/*'],
    ['/.well-known/oauth-authorization-server/as', 'issuer', '/.well-known/oauth-authorization-server/as'],
    ['/as/tokens', 'tppUrl', undefined],
    ['/as/token/abc', 'tppUrl', undefined],
    ['/as', 'tppUrl', undefined],
    ['/', 'issuer', '/'],
    ['/as/%zz', 'issuer', undefined],
  ])('name %s of the %s by its pattern, %s', async (path, place, pattern) => {
    const { origin } = new URL(setting.places[place]);
    const answer = await tpp.fetch(`${origin}${path}`, { method: 'GET', redirect: 'manual' } as never);
    const id = answer.headers.get('x-fapi-interaction-id');
    await until(() => records().some(({ interactionId }) => interactionId === id));
    expect(records().filter(({ interactionId }) => interactionId === id)).toEqual([
      expect.objectContaining({ method: 'GET', status: answer.status }),
    ]);
    expect(records().find(({ interactionId }) => interactionId === id)?.endpoint).toBe(pattern);
  });
});
