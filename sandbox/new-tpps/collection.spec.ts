import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';
import { v3_1 } from '../../src/versions/v3.1.js';
import { collectionOf } from './collection.js';
import type { ServedDocument } from './served-document.js';

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly raw: string; readonly query: readonly { key: string; disabled?: boolean }[] };
    readonly header: readonly { key: string; value: string; disabled?: boolean }[];
    readonly auth: { readonly bearer?: readonly { value: string }[] };
    readonly body?: { readonly raw: string };
  };
  readonly event: readonly { readonly listen: string; readonly script: { readonly exec: readonly string[] } }[];
}

describe.each(['profile-1', 'profile-2'])('the collection of %s', (profile) => {
  const file = join(packageRoot(), 'docs/openapi', `${profile}.json`);
  const document = JSON.parse(readFileSync(file, 'utf8')) as ServedDocument;
  const { item: folders } = collectionOf(document, ['ReadBalances', 'ReadParty']) as {
    item: readonly { name: string; item: readonly Item[] }[];
  };
  const base = `{{bank}}${v3_1.basePath}`;
  const requests = folders.flatMap(({ item }) => item);
  const find = (path: string): Item => {
    const found = requests.find(({ request }) => request.url.raw === base + path && request.method === 'GET');
    if (found === undefined) throw new Error(`the collection has no ${path}`);
    return found;
  };
  const testsOf = ({ event }: Item): string =>
    event.flatMap(({ listen, script }) => (listen === 'test' ? script.exec : [])).join('\n');
  const essentialsOf = (item: Item): unknown =>
    JSON.parse(/^const essentials = (.*);$/m.exec(testsOf(item))?.[1] ?? 'null');

  it('has the requests of one access in their order, each endpoint of the document once', () => {
    const lines = folders.map(({ name, item }) => [
      name,
      ...item.map(
        ({ request: { method, url, auth } }) =>
          `${method} ${url.raw.replace(base, '')} ${auth.bearer?.[0]?.value ?? 'no token'}`,
      ),
    ]);
    const ofAccounts = Object.keys(document.paths).filter((path) => path.includes('/accounts'));
    expect(lines).toEqual([
      [
        'Ask for access',
        'POST {{bank}}/as/token no token',
        'POST /account-access-consents {{clientToken}}',
        'GET /account-access-consents/{{ConsentId}} {{clientToken}}',
        'POST {{bank}}/as/par no token',
      ],
      [
        'Read',
        'POST {{bank}}/as/token no token',
        ...ofAccounts.map(
          (path) => `GET ${path.replace(v3_1.basePath, '').replace('{AccountId}', '{{AccountId}}')} {{accessToken}}`,
        ),
      ],
      ['End the access', 'DELETE /account-access-consents/{{ConsentId}} {{clientToken}}'],
    ]);
  });

  it('requests the given permissions', () => {
    const { body } =
      requests.find(({ request }) => request.url.raw === `${base}/account-access-consents`)?.request ?? {};
    expect(JSON.parse(body?.raw ?? '')).toEqual({ Data: { Permissions: ['ReadBalances', 'ReadParty'] }, Risk: {} });
  });

  it('sends an interaction id, and leaves the other headers and the query to the developer', () => {
    const { header, url } = find('/accounts/{{AccountId}}/transactions').request;
    expect(header.filter(({ disabled }) => disabled !== true)).toEqual([
      expect.objectContaining({ key: 'x-fapi-interaction-id', value: '{{$guid}}' }),
    ]);
    expect(header.map(({ key }) => key)).toContain('x-fapi-customer-ip-address');
    expect(url.query.map(({ key, disabled }) => [key, disabled])).toEqual([
      ['fromBookingDateTime', true],
      ['toBookingDateTime', true],
      ['page', true],
    ]);
  });

  it('demands of an answer the members that the document requires, at each depth, and no other', () => {
    const text = { type: 'string' };
    const links = { type: 'object', required: ['Self'], properties: { Self: text } };
    expect(essentialsOf(find('/accounts/{{AccountId}}/balances'))).toMatchObject({
      type: 'object',
      required: ['Data', 'Links', 'Meta'],
      properties: { Data: { required: ['Balance'], properties: { Balance: { type: 'array' } } }, Links: links },
    });
    expect(essentialsOf(find('/accounts/{{AccountId}}/party'))).toEqual({
      type: 'object',
      required: ['Data', 'Links', 'Meta'],
      properties: {
        Data: {
          type: 'object',
          required: ['Party'],
          properties: { Party: { type: 'object', required: ['PartyId'], properties: { PartyId: text } } },
        },
        Links: links,
        Meta: { type: 'object' },
      },
    });
  });

  it('takes from an answer the id that the paths below it need', () => {
    const set = (item: Item): string[] =>
      [...testsOf(item).matchAll(/environment\.set\('(\w+)'/g)].map(([, id]) => id ?? '');
    const [consent] = requests.filter(({ request }) => request.url.raw === `${base}/account-access-consents`);
    expect(consent && set(consent)).toEqual(['ConsentId']);
    expect(set(find('/accounts'))).toEqual(['AccountId']);
    expect(set(find('/accounts/{{AccountId}}'))).toEqual([]);
  });
});
