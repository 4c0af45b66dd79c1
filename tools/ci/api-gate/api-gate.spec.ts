import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../src/persistence/package-root.js';
import { breakingChanges } from './document-changes.js';
import type { Json } from './schema-changes.js';

interface Schema extends Record<string, unknown> {
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

/** A client sends a wish and receives an account. */
function released() {
  const account: Schema = {
    type: 'object',
    required: ['Id', 'Kind'],
    properties: {
      Id: { type: 'string', minLength: 1, maxLength: 40, pattern: '^[a-z]+$', format: 'x-id' },
      Kind: { type: 'string', enum: ['Personal', 'Business'] },
      Nickname: { type: 'string', description: 'As the customer likes it.' },
      Names: { type: 'array', items: { type: 'string' }, minItems: 1 },
      Owner: { anyOf: [{ $ref: '#/components/schemas/Person' }, { type: 'null' }] },
      Other: { not: { $ref: '#/components/schemas/Person' } },
      Within: { $ref: '#/components/schemas/Account' },
    },
  };
  const wish: Schema = {
    type: 'object',
    required: ['Id'],
    properties: {
      Id: { type: ['string', 'null'], minLength: 1, maxLength: 40 },
      Kind: { type: 'string', enum: ['Personal', 'Business'] },
      Until: { type: 'string' },
      Notes: { type: 'object', additionalProperties: { type: 'string', maxLength: 10 } },
    },
  };
  const person: Record<string, unknown> = { type: 'object', properties: { Name: { type: 'string' } } };
  return {
    openapi: '3.1.0',
    components: {
      schemas: { Account: account, Wish: wish, Person: person },
      parameters: { from: { name: 'from', in: 'query', required: false, schema: { type: 'string' } } },
      responses: {
        Done: {
          headers: { 'X-Trace': { schema: { type: 'string' } } } as Record<string, unknown>,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Account' } },
            'text/plain': { schema: { type: 'string' } },
          } as Record<string, unknown>,
        },
      },
    },
    paths: {
      '/accounts': {
        parameters: [{ $ref: '#/components/parameters/from' }] as Record<string, unknown>[],
        post: {
          parameters: [{ name: 'X-Mark', in: 'header', schema: { type: 'string' } }] as Record<string, unknown>[],
          security: [{ token: ['accounts', 'payments'] }] as Record<string, unknown>[],
          requestBody: {
            required: false,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Wish' } } },
          },
          responses: { '200': { $ref: '#/components/responses/Done' }, '429': { description: 'Too many.' } },
        },
      },
    } as unknown as Record<string, never> & { '/accounts': { parameters: Record<string, unknown>[]; post: Operation } },
  };
}

interface Operation {
  parameters: Record<string, unknown>[];
  security?: Record<string, unknown>[];
  requestBody: { required: boolean; content: Record<string, unknown> };
  responses: Record<string, unknown>;
}
type Document = ReturnType<typeof released>;
type Change = (document: Document) => void;

const post = (document: Document): Operation => document.paths['/accounts'].post;
const account = ({ components }: Document): Schema => components.schemas.Account;
const wish = ({ components }: Document): Schema => components.schemas.Wish;
const set =
  (of: (document: Document) => Schema, property: string, members: Record<string, unknown>): Change =>
  (document) =>
    void (of(document).properties[property] = { ...of(document).properties[property], ...members });

function changes(change: Change): string[] {
  const now = released();
  change(now);
  return breakingChanges(released() as Json, now as Json).map(({ rule, place }) => `${rule} ${place}`);
}

const breaking: readonly (readonly [title: string, change: Change, expected: string])[] = [
  ['an operation goes', (d) => Reflect.deleteProperty(d.paths['/accounts'], 'post'), 'api-removed POST /accounts'],
  ['a path goes', (d) => Reflect.deleteProperty(d.paths, '/accounts'), 'api-removed POST /accounts'],
  [
    'a parameter is new and required',
    (d) => post(d).parameters.push({ name: 'to', in: 'query', required: true, schema: {} }),
    'new-required-request-parameter POST /accounts query to',
  ],
  [
    'a parameter becomes required',
    (d) => void (d.components.parameters.from.required = true),
    'request-parameter-became-required POST /accounts query from',
  ],
  [
    'a parameter goes',
    (d) => void d.paths['/accounts'].parameters.pop(),
    'request-parameter-removed POST /accounts query from',
  ],
  [
    'a parameter admits less',
    (d) => void (d.components.parameters.from.schema = { type: 'integer' }),
    'request-type-changed POST /accounts query from',
  ],
  [
    'the body becomes required',
    (d) => void (post(d).requestBody.required = true),
    'request-body-became-required POST /accounts request',
  ],
  [
    'a media type is no longer taken',
    (d) => void (post(d).requestBody.content = {}),
    'request-media-type-removed POST /accounts request application/json',
  ],
  [
    'a token needs another scope',
    (d) => void (post(d).security = [{ token: ['accounts', 'all'] }]),
    'api-security-added POST /accounts',
  ],
  [
    'an operation needs another scheme',
    (d) => void (post(d).security = [{ key: [] }]),
    'api-security-added POST /accounts',
  ],
  [
    'a success goes',
    (d) => Reflect.deleteProperty(post(d).responses, '200'),
    'response-success-status-removed POST /accounts 200',
  ],
  [
    'a header goes',
    (d) => void (d.components.responses.Done.headers = {}),
    'response-header-removed POST /accounts 200 X-Trace',
  ],
  [
    'a media type is no longer sent',
    (d) => Reflect.deleteProperty(d.components.responses.Done.content, 'text/plain'),
    'response-media-type-removed POST /accounts 200 text/plain',
  ],
  [
    'a received field goes',
    (d) => Reflect.deleteProperty(account(d).properties, 'Nickname'),
    'response-property-removed Account.Nickname',
  ],
  [
    'a received field becomes optional',
    (d) => void account(d).required.pop(),
    'response-property-became-optional Account.Kind',
  ],
  [
    'a received field gets another type',
    set(account, 'Nickname', { type: 'number' }),
    'response-type-changed Account.Nickname',
  ],
  [
    'a received field may be null',
    set(account, 'Nickname', { type: ['string', 'null'] }),
    'response-type-changed Account.Nickname',
  ],
  [
    'a received list has other items',
    set(account, 'Names', { items: { type: 'number' } }),
    'response-type-changed Account.Names[]',
  ],
  [
    'a received value is new',
    set(account, 'Kind', { enum: ['Personal', 'Business', 'Club'] }),
    'response-enum-value-added Account.Kind',
  ],
  ['a received value is free', set(account, 'Kind', { enum: undefined }), 'response-enum-value-added Account.Kind'],
  ['a received text may be longer', set(account, 'Id', { maxLength: 41 }), 'response-maxLength-changed Account.Id'],
  [
    'a received text has no more bound',
    set(account, 'Id', { maxLength: undefined }),
    'response-maxLength-changed Account.Id',
  ],
  ['a received text may be shorter', set(account, 'Id', { minLength: 0 }), 'response-minLength-changed Account.Id'],
  ['a received list may be empty', set(account, 'Names', { minItems: 0 }), 'response-minItems-changed Account.Names'],
  [
    'a received text has another pattern',
    set(account, 'Id', { pattern: '^.+$' }),
    'response-pattern-changed Account.Id',
  ],
  ['a received text has another format', set(account, 'Id', { format: 'date' }), 'response-format-changed Account.Id'],
  [
    'one of several forms changes behind its reference',
    (d) => void (d.components.schemas.Person['type'] = 'string'),
    'response-type-changed Person',
  ],
  [
    'a keyword without a rule changes behind a reference',
    (d) => void (d.components.schemas.Person['type'] = 'string'),
    'response-not-changed Account.Other',
  ],
  [
    'a form more may be received',
    set(account, 'Owner', { anyOf: [{}, {}, {}] }),
    'response-anyOf-changed Account.Owner',
  ],
  [
    'a field that is sent becomes required',
    (d) => void wish(d).required.push('Until'),
    'request-property-became-required Wish.Until',
  ],
  [
    'a field is new and required',
    (d) => {
      wish(d).properties['Why'] = { type: 'string' };
      wish(d).required.push('Why');
    },
    'request-property-became-required Wish.Why',
  ],
  [
    'a field that is sent goes',
    (d) => Reflect.deleteProperty(wish(d).properties, 'Until'),
    'request-property-removed Wish.Until',
  ],
  ['a type may no longer be sent', set(wish, 'Id', { type: 'string' }), 'request-type-changed Wish.Id'],
  ['a value may no longer be sent', set(wish, 'Kind', { enum: ['Personal'] }), 'request-enum-value-removed Wish.Kind'],
  ['free text gets a list of values', set(wish, 'Until', { enum: ['now'] }), 'request-enum-value-removed Wish.Until'],
  ['a sent text must be longer', set(wish, 'Id', { minLength: 2 }), 'request-minLength-changed Wish.Id'],
  ['a sent text must be shorter', set(wish, 'Id', { maxLength: 39 }), 'request-maxLength-changed Wish.Id'],
  ['a sent text gets a bound', set(wish, 'Until', { maxLength: 1000 }), 'request-maxLength-changed Wish.Until'],
  ['a sent text gets a pattern', set(wish, 'Until', { pattern: '^a' }), 'request-pattern-changed Wish.Until'],
  [
    'other fields are refused',
    (d) => void (wish(d)['additionalProperties'] = false),
    'request-additional-properties-closed Wish',
  ],
  [
    'other fields must be shorter',
    set(wish, 'Notes', { additionalProperties: { type: 'string', maxLength: 9 } }),
    'request-maxLength-changed Wish.Notes.*',
  ],
];

const harmless: readonly (readonly [title: string, change: Change])[] = [
  ['nothing changes', () => undefined],
  ['an operation is new', (d) => Object.assign(d.paths, { '/balances': { get: { responses: {} } } })],
  ['an optional parameter is new', (d) => post(d).parameters.push({ name: 'to', in: 'query', schema: {} })],
  [
    'a header is written in other letters',
    (d) => void (post(d).parameters[0] = { name: 'x-mark', in: 'header', schema: { type: 'string' } }),
  ],
  ['fewer scopes are needed', (d) => void (post(d).security = [{ token: ['accounts'] }])],
  ['an operation needs no token', (d) => Reflect.deleteProperty(post(d), 'security')],
  ['an error goes', (d) => Reflect.deleteProperty(post(d).responses, '429')],
  ['an error is new', (d) => void (post(d).responses['503'] = { description: 'Away.' })],
  ['a received field is new', (d) => void (account(d).properties['New'] = { type: 'string' })],
  ['a received field becomes certain', (d) => void account(d).required.push('Nickname')],
  ['a received value goes', set(account, 'Kind', { enum: ['Personal'] })],
  ['a received text gets narrower bounds', set(account, 'Id', { minLength: 2, maxLength: 39 })],
  ['a received text gets a format', set(account, 'Nickname', { format: 'x-name' })],
  [
    'a text explains more',
    set(account, 'Nickname', { description: 'As the customer says it.', examples: ['Rainy day'] }),
  ],
  ['an optional field may be sent', (d) => void (wish(d).properties['Why'] = { type: 'string' })],
  ['a sent field becomes optional', (d) => void wish(d).required.pop()],
  ['another value may be sent', set(wish, 'Kind', { enum: ['Personal', 'Business', 'Club'] })],
  ['any value may be sent', set(wish, 'Kind', { enum: undefined })],
  ['a sent text gets wider bounds', set(wish, 'Id', { minLength: 0, maxLength: undefined })],
];

describe('the comparison of two OpenAPI documents', () => {
  it.each(breaking)('reports that %s', (_title, change, expected) => {
    expect(changes(change)).toContain(expected);
  });

  it.each(harmless)('reports nothing where %s', (_title, change) => {
    expect(changes(change)).toEqual([]);
  });

  it('reports a change of a shared schema once, by the name of the schema', () => {
    expect(changes((d) => Reflect.deleteProperty(account(d).properties, 'Names'))).toEqual([
      'response-property-removed Account.Names',
    ]);
  });

  it('refuses a document with a reference that leads nowhere', () => {
    expect(() => changes((d) => Reflect.deleteProperty(d.components.responses, 'Done'))).toThrow('leads nowhere');
  });

  it('reports nothing between each document of this gateway and itself, and every operation where all are gone', async () => {
    const folder = join(packageRoot(), 'docs', 'openapi');
    const files = await readdir(folder);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const document = JSON.parse(await readFile(join(folder, file), 'utf8')) as Json & { paths: object };
      expect(breakingChanges(document, document)).toEqual([]);
      expect(breakingChanges(document, { ...document, paths: {} }).length).toBeGreaterThanOrEqual(
        Object.keys(document.paths).length,
      );
    }
  });
});

describe('npm run check:api', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'api-gate-'));
    await mkdir(join(folder, 'docs/openapi'), { recursive: true });
    git('init', '--quiet');
    await writeApi(() => undefined);
    await writeChangelog('- Breaking: `Account.Nickname` went long ago.');
    commit();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('says in one line that there is no release yet', () => {
    expect(gate()).toEqual({
      status: 0,
      said: 'The API was compared with no release: no commit before this one has the tag of a release\n',
    });
  });

  it('compares the commit of the first release with none', () => {
    git('tag', 'v1.0.0');
    expect(gate().said).toContain('compared with no release');
  });

  it('passes where nothing breaks', async () => {
    release();
    await writeApi(set(account, 'New', { type: 'string' }));
    expect(gate()).toEqual({
      status: 0,
      said: 'The API was compared with v1.0.0: every breaking change is announced\n',
    });
  });

  it('fails on a breaking change without an announcement, and names it', async () => {
    release();
    await writeApi((d) => Reflect.deleteProperty(account(d).properties, 'Nickname'));
    const { status, said } = gate();
    expect(status).toBe(1);
    expect(said).toContain('docs/openapi/api.json: response-property-removed: `Account.Nickname`');
    expect(said).toContain('announce it in CHANGELOG.md');
  });

  it('fails where only an earlier release announced a change of the same field', async () => {
    release();
    await writeApi((d) => Reflect.deleteProperty(account(d).properties, 'Nickname'));
    await writeChangelog('- Breaking: `Account.Nickname` went\n  long ago.\n- `Account.Nickname` is nice.');
    expect(gate().status).toBe(1);
  });

  it('passes where the changelog announces the change, on one line or several', async () => {
    release();
    await writeApi((d) => {
      Reflect.deleteProperty(account(d).properties, 'Nickname');
      Reflect.deleteProperty(account(d).properties, 'Names');
    });
    await writeChangelog(
      '- Breaking: `Account.Nickname` went long ago.\n- Breaking: no answer has\n  `Account.Nickname` or `Account.Names`.',
    );
    expect(gate().status).toBe(0);
  });

  it('fails where a document is gone', async () => {
    release();
    await rm(join(folder, 'docs/openapi/api.json'));
    expect(gate().said).toContain('document-removed: `api.json`');
  });

  it('fails on an incompatible change of the trail’s events, also where the changelog announces it', async () => {
    const schema = join(folder, 'docs/trail-event.schema.json');
    const event = { properties: { v: { const: 1 }, id: { type: 'string' } }, required: ['v', 'id'] };
    await writeFile(schema, JSON.stringify({ $defs: { TppEvent: event } }));
    commit();
    release();
    expect(gate().status).toBe(0);
    await writeFile(schema, JSON.stringify({ $defs: { TppEvent: { ...event, required: ['v'] } } }));
    await writeChangelog('- Breaking: no event has `TppEvent.id` any more.');
    const { status, said } = gate();
    expect([status, said]).toEqual([1, expect.stringContaining('property-became-optional: TppEvent.id')]);
    expect(said).toContain('raise eventVersion in src/trail/event.ts');
    await rm(schema);
    expect(gate().said).toContain('Incompatible changes');
  });

  it('compares with the latest of several releases', async () => {
    release();
    await writeApi((d) => Reflect.deleteProperty(account(d).properties, 'Nickname'));
    commit();
    git('tag', 'v2.0.0');
    commit();
    expect(gate().said).toContain('v2.0.0');
  });

  function release(): void {
    git('tag', 'v1.0.0');
    commit();
  }

  function commit(): void {
    git('add', '.');
    git(
      '-c',
      'user.name=Anna',
      '-c',
      'user.email=anna@bank.example',
      'commit',
      '--quiet',
      '--allow-empty',
      '--message=change',
    );
  }

  function git(...words: string[]): void {
    const { status, stderr } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  async function writeApi(change: Change): Promise<void> {
    const document = released();
    change(document);
    await writeFile(join(folder, 'docs/openapi/api.json'), JSON.stringify(document));
  }

  const writeChangelog = (items: string): Promise<void> =>
    writeFile(join(folder, 'CHANGELOG.md'), `# Changelog\n\n${items}\n`);

  function gate(): { status: number | null; said: string } {
    const loader = join(packageRoot(), 'test/support/typescript-loader.mjs');
    const program = join(packageRoot(), 'tools/ci/api-gate/main.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', loader, program], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  }
});
