import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:tls';
import type { Socket } from 'node:net';
import { anyUuid, oneError } from '../support/error-shape.js';
import { portOf, sendRaw, type RawAnswer } from '../support/raw-http.js';
import { base, bankCredential } from '../support/stack.js';
import { AuthorisationSetting } from './setting.js';
import type { TestTpp } from './tpp.js';

const twoHosts = oneError({ Code: '400 BadRequest', ErrorCode: 'UK.OBIE.Header.Invalid', Path: 'Host' });
/** Below no version of the API. */
const twoHostsElsewhere = oneError({ ErrorCode: 'header-invalid', Path: 'Host' });

describe('a request with two Host headers', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let token: string;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
    token = (await setting.access(tpp, 'saver')).accessToken;
  });
  afterAll(() => setting.close());

  /** Sends it with these Host lines, in the spelling that is given. */
  function send(place: 'API' | 'bank' | 'browsers' | 'TPPs', target: string, hosts: string[], ...lines: string[]) {
    const { server, bankServer } = setting.stack.gateway;
    const { browser, tpp: mtls } = setting.listeners;
    const { certificatePem: cert, keyPem: key } = tpp.certified;
    const overTls = (port: number): Socket => connect({ host: '127.0.0.1', port, ca: setting.places.ca, cert, key });
    const text = [`GET ${target} HTTP/1.1`, ...hosts, ...lines, 'Connection: close', '', ''].join('\r\n');
    const places: Record<typeof place, () => Promise<RawAnswer>> = {
      API: () => sendRaw(portOf(server), text),
      bank: () => sendRaw(portOf(bankServer), text),
      browsers: () => sendRaw(browser.port, text, overTls),
      TPPs: () => sendRaw(mtls.port, text, overTls),
    };
    return places[place]();
  }

  const own = (place: 'browsers' | 'TPPs'): string =>
    new URL(setting.places[place === 'browsers' ? 'issuer' : 'tppUrl']).host;
  /** The two in either order, alike, empty, and in whatever spelling. */
  const pairs = (host: string): string[][] => [
    [`Host: ${host}`, 'Host: evil.example'],
    ['Host: evil.example', `Host: ${host}`],
    [`Host: ${host}`, `hOST: ${host}`],
    [`Host: ${host}`, 'Host:'],
    [`Host: ${host}`, 'Host: a', 'Host: b'],
  ];
  const [bearer, bank] = [(): string => `Authorization: Bearer ${token}`, `Authorization: Bearer ${bankCredential}`];

  it.each<[string, 'API' | 'TPPs']>([
    ['the API’s own listener', 'API'],
    ['the API on the TPPs’ listener', 'TPPs'],
  ])('is 400 at %s, in the shape of its errors, with and without a token, on every path', async (_name, place) => {
    const host = place === 'API' ? 'gateway.example' : own('TPPs');
    for (const hosts of pairs(host))
      for (const [target, ...lines] of [
        [`${base}/accounts`, bearer()],
        [`${base}/accounts`],
        [`${base}/nothing`, bearer()],
        [`${base}/%zz`],
        ['/openapi.json'],
      ]) {
        const answer = await send(place, target ?? '', hosts, ...lines);
        const expected = target === '/openapi.json' ? twoHostsElsewhere : twoHosts;
        expect([hosts, target, answer.status, answer.json]).toEqual([hosts, target, 400, expected]);
        expect(answer.headers['x-fapi-interaction-id']).toMatch(anyUuid);
        expect(answer.headers['connection']).toBe('close');
      }
  });

  it('is 400 at the bank’s listener, in the shape of its errors, with and without the credential', async () => {
    for (const hosts of pairs('gateway'))
      for (const [target, ...lines] of [
        ['/bank/v1/consents/x', bank],
        ['/bank/v1/consents/x'],
        ['/bank/v1/%zz', bank],
        ['/health/live'],
        ['/metrics'],
        ['/nothing'],
      ]) {
        const answer = await send('bank', target ?? '', hosts, ...lines);
        expect([hosts, target, answer.status, answer.json]).toEqual([hosts, target, 400, twoHostsElsewhere]);
      }
  });

  it('is 400 at the endpoints of OAuth, in their shape', async () => {
    for (const hosts of pairs(own('TPPs')))
      for (const target of ['/as/token', '/as/.well-known/openid-configuration', '/as/register']) {
        const answer = await send('TPPs', target, hosts);
        expect([hosts, target, answer.status, answer.json]).toEqual([
          hosts,
          target,
          400,
          { error: 'invalid_request', error_description: 'the request has more than one Host header' },
        ]);
      }
  });

  it('is 400 at the browsers’ listener, with a page that says so', async () => {
    for (const hosts of pairs(own('browsers')))
      for (const target of ['/as/authorize', '/as/dashboard', '/as/interaction/x', '/as/jwks', '/']) {
        const answer = await send('browsers', target, hosts);
        expect([hosts, target, answer.status]).toEqual([hosts, target, 400]);
        expect(answer.body).toContain('This request cannot be used');
        expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      }
  });

  it('with one Host header is answered as ever', async () => {
    const statuses = await Promise.all([
      send('API', `${base}/accounts`, ['Host: gateway.example'], bearer()),
      send('TPPs', `${base}/accounts`, [`Host: ${own('TPPs')}`], bearer()),
      send('TPPs', '/as/.well-known/openid-configuration', [`Host: ${own('TPPs')}`]),
      send('browsers', '/as/dashboard', [`Host: ${own('browsers')}`]),
      send('bank', '/health/live', ['Host: gateway']),
      send('TPPs', '/as/token', ['Host: evil.example']),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 200, 200, 200, 200, 421]);
  });

  it('leaves an access record, as every request does', async () => {
    const id = '93bac548-d2de-4546-b106-880a5018460d';
    const lines = [`x-fapi-interaction-id: ${id}`];
    const hosts = ['Host: a', 'Host: b'];
    await send('API', `${base}/accounts`, hosts, ...lines);
    await send('bank', '/bank/v1/tpps', hosts, ...lines);
    const records = setting.stack.log.map((line) => JSON.parse(line) as Record<string, { interactionId?: string }>);
    const of = (name: string): unknown[] =>
      records.flatMap((line) => line[name] ?? []).filter((record) => record.interactionId === id);
    expect([of('access'), of('bankAccess')]).toEqual([
      [expect.objectContaining({ status: 400 })],
      [expect.objectContaining({ status: 400 })],
    ]);
  });
});
