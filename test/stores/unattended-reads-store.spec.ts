import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { sweepAll } from '../../src/persistence/sweep.js';
import { sweepUnattendedReads, UnattendedReadsStore } from '../../src/quotas/unattended-reads.store.js';
import { emptyDatabase, type EmptyDatabase } from '../support/lent-pglite.js';

const nowMs = Date.parse('2026-06-15T12:00:00.123Z');
const dayMs = 86_400_000;

describe('the store of reads without the customer', () => {
  let database: EmptyDatabase;
  let prisma: PrismaService;
  let store: UnattendedReadsStore;
  beforeAll(async () => {
    database = await emptyDatabase();
    prisma = database.prisma;
    store = new UnattendedReadsStore(prisma);
  });
  afterAll(async () => {
    await database.close();
  });
  const read = (consentId: string, resource: string, agoMs: number) => ({ consentId, resource, atMs: nowMs - agoMs });

  it('keeps the newest times of each resource to the millisecond, newest first', async () => {
    await store.add([read('aac-1', 'a balances', 2), read('aac-1', 'a balances', 1), read('aac-1', 'b party', 5)], 4);
    await store.add(
      [3, 4, 7].map((agoMs) => read('aac-1', 'a balances', agoMs)),
      4,
    );
    expect(await store.of('aac-1')).toEqual(
      new Map([
        ['a balances', [nowMs - 1, nowMs - 2, nowMs - 3, nowMs - 4]],
        ['b party', [nowMs - 5]],
      ]),
    );
    expect(await store.of('aac-of-nobody')).toEqual(new Map());
  });

  it('counts a read that is written twice only once', async () => {
    await store.add([read('aac-2', 'a balances', 1)], 4);
    await store.add([read('aac-2', 'a balances', 1)], 4);
    expect(await store.of('aac-2')).toEqual(new Map([['a balances', [nowMs - 1]]]));
  });

  it('loses no read where processes write the same resources at once', async () => {
    const resources = ['a balances', 'b balances', 'c balances'];
    await Promise.all(
      Array.from({ length: 10 }, (_, process) =>
        store.add(
          (process % 2 === 0 ? resources : resources.toReversed()).map((resource) => read('aac-3', resource, process)),
          20,
        ),
      ),
    );
    for (const times of (await store.of('aac-3')).values()) expect(times).toHaveLength(10);
  });

  it('removes only reads that are more than 24 hours old', async () => {
    await store.add([read('aac-4', 'old', dayMs + 1), read('aac-4', 'edge', dayMs)], 4);
    await sweepAll(sweepUnattendedReads, prisma, nowMs);
    expect([...(await store.of('aac-4')).keys()]).toEqual(['edge']);
  });
});
