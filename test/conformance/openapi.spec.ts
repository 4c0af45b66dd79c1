import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { declaredDocument, documentText, exampleBaseUrl } from '../../tools/build/declared-document.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { loadProfile, profileNames } from '../../src/profiles/load-profile.js';
import { endpointNames } from '../../src/resources/endpoints.js';
import { Stack } from '../support/stack.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | { $ref: string })[];
  readonly responses: Readonly<Record<string, object>>;
}
interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Document {
  readonly openapi: string;
  readonly info: Readonly<Record<string, string>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const declared = await Promise.all(
  profileNames().map(async (name) => {
    const profile = await loadProfile(name);
    return { name, profile, document: (await declaredDocument(profile, v3_1)) as Document };
  }),
);

const fundsOperations = [
  'post /cbpii/funds-confirmation-consents',
  'get /cbpii/funds-confirmation-consents/{ConsentId}',
  'delete /cbpii/funds-confirmation-consents/{ConsentId}',
  'post /cbpii/funds-confirmations',
];

describe.each(declared)('the OpenAPI document of $name', ({ name, profile, document }) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const everything = walk(document);

  it('is equal to the committed one: run `npm run openapi` after a change', () => {
    const file = join(import.meta.dirname, `../../docs/openapi/${name}.json`);
    expect(readFileSync(file, 'utf8')).toBe(documentText(document));
  });

  it('has exactly the endpoints of the profile, the single account, the consents, the checks of funds and the events', () => {
    const served = endpointNames.filter((endpoint) => profile.endpoints[endpoint] !== undefined);
    expect(
      operations
        .map(({ method, path }) => `${method} ${path.replace(v3_1.basePath, '').replace(v3_1.rootPath, '')}`)
        .sort(),
    ).toEqual(
      [
        'post /account-access-consents',
        'get /account-access-consents/{ConsentId}',
        'delete /account-access-consents/{ConsentId}',
        'get /accounts/{AccountId}',
        ...(profile.rules.fundsConfirmation ? fundsOperations : []),
        'post /events',
        ...served.map((endpoint) => `get ${endpoint === 'accounts' ? '' : '/accounts/{AccountId}'}/${endpoint}`),
      ].sort(),
    );
  });

  it('is OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toEqual({
      title: expect.any(String),
      version: expect.stringMatching(/^3\.1\.\d+$/),
      description: expect.any(String),
      contact: { name: expect.any(String) },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    });
    expect(document.servers).toEqual([{ url: exampleBaseUrl }]);
    // Words of 3.0 that have no meaning any more.
    for (const { key } of everything) expect(['nullable', 'swagger', 'definitions']).not.toContain(key);
    for (const group of Object.values(document.components))
      for (const component of Object.keys(group)) expect(component).toMatch(/^[a-zA-Z0-9._-]+$/);
  });

  it('refers only to its own schemas, and has only schemas that it refers to', () => {
    const references = new Set(everything.flatMap(({ key, value }) => (key === '$ref' ? [value as string] : [])));
    const components = Object.entries(document.components).flatMap(([group, members]) =>
      group === 'securitySchemes' ? [] : Object.keys(members).map((member) => `#/components/${group}/${member}`),
    );
    expect([...references].sort()).toEqual(components.sort());
  });

  it.each(operations)('describes $method $path', ({ path, operation }) => {
    expect(operation).toEqual(
      expect.objectContaining({
        operationId: expect.any(String),
        summary: expect.any(String),
        tags: [expect.any(String)],
      }),
    );
    expect(document.tags.map((tag) => tag.name)).toContain(operation.tags[0]);
    const inPath = operation.parameters.flatMap((it) => ('name' in it && it.in === 'path' ? [it] : []));
    expect(inPath.map((parameter) => `{${parameter.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    for (const parameter of inPath) expect(parameter.required).toBe(true);
    const schemes = operation.security.flatMap((requirement) => Object.keys(requirement));
    expect(schemes).toEqual([/consents|events/.test(path) ? 'clientCredentials' : 'consentToken']);
    expect(Object.keys(document.components['securitySchemes'] ?? {})).toEqual(expect.arrayContaining(schemes));
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '401', '403', '500', '503']));
  });

  it('gives each operation a different id', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has a description and the interaction id on every answer, and how to authenticate on 401', () => {
    const direct = operations.flatMap(({ operation }) => Object.values(operation.responses));
    const answers = [
      ...direct.filter((answer) => !('$ref' in answer)),
      ...Object.values(document.components['responses'] ?? {}),
    ];
    for (const answer of answers)
      expect(answer).toEqual(
        expect.objectContaining({
          description: expect.any(String),
          headers: expect.objectContaining({ 'x-fapi-interaction-id': expect.anything() }),
        }),
      );
    expect(document.components['responses']?.['Unauthorised']).toEqual({
      description: expect.any(String),
      headers: expect.objectContaining({ 'WWW-Authenticate': expect.anything() }),
    });
  });

  it('has schemas that are JSON Schema 2020-12, and examples that fit them', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    formats.default(ajv);
    const named = (value: unknown): object => JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', ''));
    for (const [schema, content] of Object.entries(document.components['schemas'] ?? {}))
      ajv.addSchema(named(content), schema);
    let examples = 0;
    const fits = (schema: object, example: unknown): void => {
      examples++;
      expect([example, ajv.validate(named(schema), example), ajv.errors]).toEqual([example, true, null]);
    };
    for (const { value } of everything) {
      if (typeof value !== 'object' || value === null) continue;
      if ('schema' in value) {
        const media = value as Media;
        ajv.compile(named(media.schema));
        for (const example of Object.values(media.examples ?? {})) fits(media.schema, example.value);
      } else if ('type' in value && 'examples' in value)
        for (const example of value.examples as unknown[]) fits(value, example);
    }
    expect(examples).toBeGreaterThan(40);
  });
});

describe('a gateway', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.close());
  const get = (url: string) => stack.gateway.server.inject({ method: 'GET', url });

  it('serves its document without a token, with its own URL', async () => {
    const answer = await get('/openapi.json');
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const { document } = declared.find(({ name }) => name === 'profile-2') ?? {};
    const served = { ...document, servers: [{ url: 'https://gateway.example' }] };
    const pages = (origin: string): string => `${origin}/docs/`;
    expect(answer.json()).toEqual(
      JSON.parse(JSON.stringify(served).replaceAll(pages(exampleBaseUrl), pages('https://gateway.example'))),
    );
  });

  it('serves a page that shows it, and all files that the page loads, without a token', async () => {
    const page = await get('/docs');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'self';/);
    const loaded = [...page.body.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, link]) => link ?? '');
    expect(loaded).toEqual(expect.arrayContaining([expect.stringMatching(/\.js$/), expect.stringMatching(/\.css$/)]));
    for (const link of loaded) {
      const url = new URL(link, 'http://gateway/docs');
      expect([link, url.host, (await get(url.pathname)).statusCode]).toEqual([link, 'gateway', 200]);
    }
    expect((await get('/docs/json')).json()).toEqual((await get('/openapi.json')).json());
  });

  it('has no route under its prefix that the document lacks', async () => {
    const { paths } = stack.gateway.server.swagger() as unknown as Document;
    const routes = routePaths(stack.gateway.server.printRoutes({ commonPrefix: false }));
    expect(routes.filter((path) => path.startsWith(v3_1.rootPath)).sort()).toEqual(Object.keys(paths).sort());
    for (const [path, methods] of Object.entries(paths)) {
      const { headers } = await stack.ask(`/!${path.slice(1)}`, { method: 'TRACE', token: await stack.clientToken() });
      expect([path, headers['allow']]).toEqual([path, Object.keys(methods).join(', ').toUpperCase()]);
    }
  });
});

/** Every member of every object at any depth. */
function walk(value: unknown): { key: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [{ key, value: member }, ...walk(member)]);
}

/** The paths of Fastify's list of its routes, in OpenAPI's spelling. */
function routePaths(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent, path] = /^((?:[│ ] {3})*)[├└]── (\S+)/.exec(line) ?? [];
    if (indent === undefined || path === undefined) return [];
    const depth = indent.length / 4;
    above.splice(depth, above.length, path);
    return [above.join('').replace(/:(\w+)/g, '{$1}')];
  });
}
