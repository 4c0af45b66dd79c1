import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bankCredential, Stack } from '../support/stack.js';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

const hostile = [
  'a%00b',
  '%01',
  'a%0Ab',
  '%7F',
  'a'.repeat(1_001),
  '%ED%A0%80',
  '..%2F..',
  '%F0%9F%92%A3',
  '[object]',
  '-1',
];
/** No parameter may be like these. A route may answer the other values as it likes, but not with 500. */
const refused = hostile.slice(0, 5);

describe('a hostile parameter at the bank’s port', () => {
  let stack: Stack;
  let admin: string;
  const operations: { method: string; path: string; names: string[] }[] = [];
  beforeAll(async () => {
    stack = await Stack.start();
    admin = (await stack.report('/operators', { name: 'anna', role: 'admin' })).json.Credential;
    const { paths = {} } = stack.gateway.bankServer.swagger() as { paths?: Record<string, Record<string, Operation>> };
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { parameters = [] }] of Object.entries(methods))
        if (path.startsWith('/bank/'))
          operations.push({
            method,
            path,
            names: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
          });
  });
  afterAll(() => stack.close());

  const ask = async (method: string, url: string): Promise<{ status: number; path?: string }[]> =>
    Promise.all(
      [bankCredential, admin].map(async (credential) => {
        const answer = await stack.gateway.bankServer.inject({
          method: method.toUpperCase() as 'GET',
          url,
          headers: { authorization: `Bearer ${credential}` },
          ...(method !== 'get' && method !== 'delete' && { payload: {} }),
        });
        const path = answer.body.startsWith('{')
          ? answer.json<{ Errors?: { Path?: string }[] }>().Errors?.[0]?.Path
          : '';
        return { status: answer.statusCode, ...(path !== undefined && { path }) };
      }),
    );
  /** The statuses, without those of a caller that the operation does not have. */
  const of = (answers: { status: number; path?: string }[]) => answers.filter(({ status }) => status !== 403);

  it('of a path never ends in 500, and is named where no text may be like that', async () => {
    const withParameter = operations.filter(({ path }) => path.includes('{'));
    expect(withParameter.length).toBeGreaterThan(10);
    for (const { method, path } of withParameter) {
      const [, name] = /\{(\w+)\}/.exec(path) ?? [];
      for (const value of hostile) {
        const answers = of(await ask(method, path.replace(/\{\w+\}/g, value)));
        expect([method, path, value, answers.filter(({ status }) => status >= 500)]).toEqual([method, path, value, []]);
        if (refused.includes(value))
          expect([method, path, value, ...answers]).toEqual([
            method,
            path,
            value,
            ...answers.map(() => ({ status: 400, path: name })),
          ]);
      }
    }
  });

  it('of a query never ends in 500, and is named where it comes twice', async () => {
    const withQuery = operations.filter(({ names }) => names.length > 0);
    expect(withQuery.length).toBeGreaterThan(3);
    for (const { method, path, names } of withQuery)
      for (const name of names) {
        const url = path.replace(/\{\w+\}/g, 'x');
        for (const value of hostile)
          for (const { status } of await ask(method, `${url}?${name}=${value}`)) expect(status).toBeLessThan(500);
        for (const query of [`${name}=a&${name}=b`, ...refused.map((value) => `${name}=${value}`)])
          for (const answer of of(await ask(method, `${url}?${query}`)))
            expect([method, path, query, answer]).toEqual([method, path, query, { status: 400, path: name }]);
      }
  });

  it('that the operation does not have is refused, and not repeated', async () => {
    for (const { method, path } of operations)
      for (const answer of of(await ask(method, `${path.replace(/\{\w+\}/g, 'x')}?secret=1`)))
        expect([method, path, answer]).toEqual([method, path, { status: 400, path: 'query' }]);
  });
});
