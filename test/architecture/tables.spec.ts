import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

/** The tables by their models in Prisma's client. */
const tables = new Map(
  [...read('prisma/schema.prisma').matchAll(/^model (\w+) \{.*?@@map\("(\w+)"\)/gms)].map(
    ([, model = '', table = '']) => [model.charAt(0).toLowerCase() + model.slice(1), table],
  ),
);

/** The folder below src/, or below that of the authorization server. */
const roomOf = (file: string): string => /^src\/(?:authorisation-server\/)?[^/]+/.exec(file)?.[0] ?? file;

const modelUse = /\.(\w+)\s*\.(?:find|create|update|upsert|delete|count|aggregate|groupBy)\w*\(/g;
const writing = /\b(?:INSERT\s+INTO|DELETE\s+FROM|UPDATE)\s+"?(\w+)/g;

/** The rooms that write to each table, or read it through its model: a raw statement may look at another room's rows. */
function roomsByTable(sources: Readonly<Record<string, string>>): Map<string, Set<string>> {
  const rooms = new Map([...tables.values()].map((table) => [table, new Set<string>()]));
  for (const [file, text] of Object.entries(sources)) {
    const models = [...text.matchAll(modelUse)].map(([, model = '']) => tables.get(model));
    const written = [...text.matchAll(writing)].map(([, table]) => table);
    for (const table of [...models, ...written]) rooms.get(table ?? '')?.add(roomOf(file));
  }
  return rooms;
}

/** Each table that does not belong to exactly one room. */
function shared(sources: Readonly<Record<string, string>>): Record<string, string[]> {
  const found = [...roomsByTable(sources)].filter(([, rooms]) => rooms.size !== 1);
  return Object.fromEntries(found.map(([table, rooms]) => [table, [...rooms]]));
}

describe('the tables of the database', () => {
  // persistence/ owns no table: at the start it asks whether it may change one, with a statement that changes no row.
  const files = readdirSync(join(packageRoot(), 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file}`)
    .filter((file) => /(?<![.]spec)[.]ts$/.test(file) && !file.startsWith('src/persistence/'));
  const sources = Object.fromEntries(files.map((file) => [file, read(file)]));

  it('belong to one room each: no store writes to the table of another room', () => {
    expect(tables.size).toBeGreaterThan(10);
    expect(shared(sources)).toEqual({});
  });

  it.each([
    ['through its model', 'await this.prisma.oidcArtefact.deleteMany({ where: { key } });'],
    ['in a statement', 'await prisma.$executeRaw`DELETE FROM oidc_artefacts WHERE key = ${key}`;'],
    [
      'within another statement',
      'await prisma.$executeRaw`WITH former AS (DELETE FROM oidc_artefacts) INSERT INTO customer_journeys …`;',
    ],
    ['through its model in a transaction', 'await transaction.oidcArtefact.create({ data });'],
    ['by a change', 'await prisma.$executeRaw`UPDATE oidc_artefacts SET consumed_at = ${now}`;'],
  ])('belong to two rooms once a store of another room writes to one %s', (_, statement) => {
    const store = 'src/authorisation-server/sign-in/made-up.store.ts';
    expect(shared({ ...sources, [store]: statement })).toEqual({
      oidc_artefacts: ['src/authorisation-server/oidc', 'src/authorisation-server/sign-in'],
    });
  });

  it('may be read by a statement of another room', () => {
    const store = 'src/quotas/made-up.store.ts';
    expect(shared({ ...sources, [store]: 'await prisma.$queryRaw`SELECT FROM tpps WHERE …`;' })).toEqual({});
  });
});
