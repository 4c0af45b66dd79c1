import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LastUseStore } from '../../src/consents/last-use.store.js';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { emptyDatabase, type EmptyDatabase } from '../support/lent-pglite.js';

const atMs = Date.parse('2026-06-15T12:00:00.123Z');

describe('the last use of an access', () => {
  let database: EmptyDatabase;
  let prisma: PrismaService;
  let away = false;
  let statements = 0;
  let store: LastUseStore;
  let another: LastUseStore;
  beforeAll(async () => {
    database = await emptyDatabase();
    prisma = database.prisma;
    const watched = new Proxy(prisma, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name !== '$executeRaw') return value;
        return (...sql: unknown[]) => {
          statements++;
          if (away) return Promise.reject(new Error('the test says that the database is away'));
          return (value as (...given: unknown[]) => Promise<number>).apply(target, sql);
        };
      },
    });
    [store, another] = [new LastUseStore(watched), new LastUseStore(watched)];
  });
  afterAll(async () => {
    await database.close();
  });
  afterEach(() => {
    away = false;
    statements = 0;
  });

  const used = async (consentId: string): Promise<number | undefined> =>
    (await store.find([consentId])).get(consentId)?.getTime();

  it('is written with those of all other accesses in one statement, to the millisecond', async () => {
    const ids = Array.from({ length: 1_000 }, () => randomUUID());
    ids.forEach((id, index) => store.record(id, atMs + index));
    expect(statements).toBe(0);
    await store.flush();
    const uses = await store.find(ids);
    expect([statements, ids.map((id) => uses.get(id)?.getTime())]).toEqual([1, ids.map((_, index) => atMs + index)]);
  });

  it('costs no statement where no access was used', async () => {
    await store.flush();
    expect(statements).toBe(0);
  });

  it('never becomes earlier, whichever process writes last', async () => {
    const id = randomUUID();
    store.record(id, atMs + 5_000);
    another.record(id, atMs);
    await store.flush();
    await another.flush();
    expect(await used(id)).toBe(atMs + 5_000);
    another.record(id, atMs + 5_001);
    await another.flush();
    expect(await used(id)).toBe(atMs + 5_001);
  });

  it('is kept while the database is unreachable, the newest of each, and written when it is back', async () => {
    const [id, later] = [randomUUID(), randomUUID()];
    store.record(id, atMs);
    away = true;
    const failed = store.flush();
    store.record(id, atMs + 7);
    store.record(later, atMs + 9);
    await expect(failed).rejects.toThrow('away');
    await expect(store.flush()).rejects.toThrow('away');
    away = false;
    await store.flush();
    expect([await used(id), await used(later)]).toEqual([atMs + 7, atMs + 9]);
  });

  it('has been written when its flush resolves, also while another flush is under way', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    store.record(one, atMs);
    const first = store.flush();
    store.record(other, atMs);
    await store.flush();
    expect([await used(one), await used(other)]).toEqual([atMs, atMs]);
    await first;
  });

  it('is the newer one of each access where two processes write at once', async () => {
    const ids = Array.from({ length: 200 }, () => randomUUID());
    ids.forEach((id) => store.record(id, atMs + 1));
    [...ids].reverse().forEach((id) => another.record(id, atMs + 2));
    await Promise.all([store.flush(), another.flush()]);
    expect(new Set([...(await store.find(ids)).values()].map(Number))).toEqual(new Set([atMs + 2]));
  });
});
