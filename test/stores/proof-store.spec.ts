import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProofStore } from '../../src/security/tokens/proof.store.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { FakeClock } from '../support/fake-clock.js';
import { freshDatabase, postgresUrl, type FreshDatabase } from '../support/fresh-database.js';
import { until } from '../support/until.js';

const now = new Date('2026-03-01T10:00:00Z');
const later = (ms: number): Date => new Date(now.getTime() + ms);
const minuteMs = 60_000;

describe('The store of used proofs', () => {
  let database: FreshDatabase;
  /** The number of processes that can have the database open. */
  let services: PrismaService[];
  let stores: ProofStore[];

  beforeAll(async () => {
    database = await freshDatabase();
    const processes = postgresUrl === undefined ? 1 : 2;
    services = [];
    for (let i = 0; i < processes; i++) services.push(await PrismaService.open(database.config));
    stores = services.map((service) => new ProofStore(service, new FakeClock(now.getTime())));
  });
  afterAll(async () => {
    for (const service of services) await service.onApplicationShutdown();
    await database.drop();
  });

  const use = (id: string, process = 0): Promise<boolean> => stores[process % stores.length]!.use(id, later(minuteMs));
  const kept = async (): Promise<string[]> =>
    (await services[0]!.usedProof.findMany({ orderBy: { proofId: 'asc' } })).map(({ proofId }) => proofId);

  it('takes a proof once', async () => {
    expect(await use('one')).toBe(true);
    expect(await use('one')).toBe(false);
    expect(await use('one', 1)).toBe(false);
    expect(await use('two')).toBe(true);
  });

  it('lets one of many win that use a proof at the same moment, in any process', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => use('raced', index)));
    expect(outcomes.filter((won) => won)).toHaveLength(1);
  });

  it('removes only proofs that have expired by its own clock, once a minute', async () => {
    await services[0]!.usedProof.deleteMany();
    const clock = new FakeClock(now.getTime());
    const fresh = new ProofStore(services[0]!, clock);
    expect(await fresh.use('short', later(minuteMs))).toBe(true);
    expect(await fresh.use('long', later(10 * minuteMs))).toBe(true);
    // At this very moment a clock that is slightly behind may still accept it.
    clock.advance(minuteMs);
    expect(await fresh.use('at the edge', later(10 * minuteMs))).toBe(true);
    expect(await kept()).toEqual(['at the edge', 'long', 'short']);
    clock.advance(59_999);
    expect(await fresh.use('too soon', later(10 * minuteMs))).toBe(true);
    expect(await kept()).toEqual(['at the edge', 'long', 'short', 'too soon']);
    clock.advance(1);
    expect(await fresh.use('in time', later(10 * minuteMs))).toBe(true);
    // Not while the request waits: it may be answered before.
    while ((await kept()).includes('short')) await sleep(5);
    expect(await kept()).toEqual(['at the edge', 'in time', 'long', 'too soon']);
  });

  it('takes a proof, once, also while those that have expired cannot be removed', async () => {
    const [prisma] = services as [PrismaService];
    const told: unknown[] = [];
    Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn: (message) => void told.push(message) });
    const statements = (sql: TemplateStringsArray, ...values: unknown[]) =>
      sql[0]?.startsWith('DELETE') ? Promise.reject(new Error('the test says no')) : prisma.$executeRaw(sql, ...values);
    const broken = Object.create(prisma, { $executeRaw: { value: statements } }) as PrismaService;
    const fresh = new ProofStore(broken, new FakeClock(later(60 * minuteMs).getTime()));
    expect(await fresh.use('beside', later(minuteMs))).toBe(true);
    await until(() => told.length > 0);
    expect(await fresh.use('beside', later(minuteMs))).toBe(false);
    expect(told).toEqual([expect.not.stringContaining('the test says no')]);
    Logger.overrideLogger(true);
  });
});
