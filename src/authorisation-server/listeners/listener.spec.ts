import { describe, expect, it } from '@jest/globals';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { errorNamesOf } from '../../server/error-names.js';
import { declareRoutes } from '../../server/routes.js';
import { createListener } from './listener.js';
import { CollectedTrail } from '../../../test/support/collected-trail.js';
import { versions } from '../../versions/versions.js';

const id = '93bac548-d2de-4546-b106-880a5018460d';
const silent: FastifyBaseLogger = pino({ enabled: false });

/** A listener at https://api.bank.example with one path, which is read and posted to. */
function listener({ forBrowsers = false, faults = [] as unknown[] } = {}): FastifyInstance {
  const server = createListener({
    url: 'https://api.bank.example',
    tls: undefined,
    tracing: undefined,
    onFault: (error) => void faults.push(error),
    log: silent,
    trail: new CollectedTrail(),
    errorNames: errorNamesOf({ errorCodePrefix: 'AIG', baseUrl: 'https://bank.example' }, versions),
    refuseSeveralHosts: (reply) => void reply.code(400).send(),
    forBrowsers,
  });
  declareRoutes(server, '/as', (routes) => {
    routes.get('/thing', () => 'it is here');
    routes.post('/thing', () => {
      throw new Error('on purpose');
    });
  });
  return server;
}

const own = { host: 'api.bank.example', 'x-fapi-interaction-id': id };

describe('a listener', () => {
  it.each([
    ['api.bank.example', 200],
    ['api.bank.example:443', 200],
    ['other.example', 421],
  ])('at api.bank.example answers a request for %s with %i', async (host, status) => {
    const answer = await listener().inject({ url: '/as/thing', headers: { ...own, host } });
    expect([answer.statusCode, answer.headers['x-fapi-interaction-id']]).toEqual([status, id]);
  });
});

describe('a listener of the authorization server', () => {
  it.each([
    ['GET', '/as/thing/', 404, undefined],
    ['GET', '/as/%zz', 404, undefined],
    ['GET', '/other', 404, undefined],
    ['PUT', '/as/thing', 405, 'GET, POST'],
    ['HEAD', '/as/thing', 405, 'GET, POST'],
    ['PROPFIND', '/as/thing', 405, 'GET, POST'],
    ['POST', '/as/thing', 500, undefined],
  ])('answers %s %s with %i, without a body and with the interaction id', async (method, url, status, allow) => {
    const answer = await listener().inject({ method: method as 'GET', url, headers: own });
    expect([answer.statusCode, answer.headers['allow'], answer.body]).toEqual([status, allow, '']);
    expect(answer.headers).toMatchObject({ 'x-fapi-interaction-id': id, 'cache-control': 'no-store' });
  });

  it('reports faults of the gateway, and no fault of the caller', async () => {
    const faults: unknown[] = [];
    const server = listener({ faults });
    await server.inject({ method: 'GET', url: '/as/nothing', headers: own });
    await server.inject({
      method: 'POST',
      url: '/as/thing',
      headers: { ...own, 'content-type': 'text/css' },
      body: 'x',
    });
    expect(faults).toEqual([]);
    await server.inject({ method: 'POST', url: '/as/thing', headers: own });
    expect(faults).toEqual([expect.objectContaining({ message: 'on purpose' })]);
  });

  it('demands of browsers, and not of TPPs, that they use HTTPS only', async () => {
    const told = async (forBrowsers: boolean): Promise<unknown> =>
      (await listener({ forBrowsers }).inject({ url: '/nothing', headers: own })).headers['strict-transport-security'];
    expect([await told(true), await told(false)]).toEqual(['max-age=31536000', undefined]);
  });
});
