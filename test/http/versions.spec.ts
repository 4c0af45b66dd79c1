import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { versions } from '../../src/versions/versions.js';
import { oneError } from '../support/error-shape.js';
import { dayMs, Stack } from '../support/stack.js';

const [v3, v4] = versions;

describe.each([
  [v3.name, v3, v4],
  [v4.name, v4, v3],
])('a gateway that serves %s alone', (_, served, other) => {
  let stack: Stack;
  let token: string;
  beforeAll(async () => {
    stack = await Stack.start({ rules: { versions: [served.name] } });
    token = await stack.clientToken();
  });
  afterAll(() => stack.close());
  const get = (url: string) => stack.gateway.server.inject({ url });

  it('answers 404, in the words of no version, below the path of the other', async () => {
    const paths = [other.rootPath, other.basePath, `${other.basePath}/accounts`, `${other.rootPath}/events`];
    for (const path of paths) {
      const { status, json } = await stack.ask(path, { token });
      expect([status, json]).toEqual([404, oneError({ ErrorCode: 'path-unknown' })]);
    }
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const created = (path: string) =>
      stack.ask(`${path}/account-access-consents`, { method: 'POST', token, payload }).then(({ status }) => status);
    expect([await created(served.basePath), await created(other.basePath)]).toEqual([201, 404]);
  });

  it('publishes one document, of the paths of that version', async () => {
    const [own, absent] = [served, other].map(({ name }) =>
      name === v3.name ? '/openapi.json' : `/openapi-${name}.json`,
    );
    expect((await get(absent ?? '')).statusCode).not.toBe(200);
    const { paths } = JSON.parse((await get(own ?? '')).body) as { paths: object };
    expect(Object.keys(paths).length).toBeGreaterThan(0);
    expect(Object.keys(paths).filter((path) => !path.startsWith(`${served.rootPath}/`))).toEqual([]);
    expect((await get('/docs/errors')).body).not.toContain(v3.name === other.name ? 'UK.OBIE' : 'U011');
  });
});

describe('a request without a valid token', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.close());

  it.each([
    ['v3.1', v3, undefined],
    ['v4.0', v4, oneError({ ErrorCode: 'TKXP' })],
  ])('is 401 in %s: with a body only where the version has a code for an expired token', async (_, version, body) => {
    const path = `${version.basePath}/accounts`;
    const token = await stack.clientToken();
    stack.clock.advance(dayMs);
    const expired = await stack.ask(path, { token });
    expect([expired.status, expired.json, expired.headers['www-authenticate']]).toEqual([
      401,
      body,
      expect.stringContaining('invalid_token'),
    ]);
    for (const bad of [undefined, 'no-token']) {
      const refused = await stack.ask(path, { token: bad });
      expect([refused.status, refused.body]).toEqual([401, '']);
    }
  });
});
