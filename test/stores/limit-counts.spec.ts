import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { limitOfStarts } from '../../src/authorisation-server/sign-in/sign-in-limits.js';
import { defaultSignIn } from '../../src/config/config.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { LimitCounts, sweepLimitCounts, type Limit } from '../../src/quotas/limit-counts.store.js';
import { freshDatabase, postgresUrl, type FreshDatabase } from '../support/fresh-database.js';
import { until } from '../support/until.js';

const start = Date.parse('2026-06-15T12:00:00.123Z');
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const reads: Limit = { most: 4, windowMs: dayMs };

describe('the counts of a limit over all processes', () => {
  let database: FreshDatabase;
  let prisma: PrismaService;
  /** On PostgreSQL each has its own connections. The embedded database belongs to one process. */
  let one: LimitCounts;
  let other: LimitCounts;
  const opened: PrismaService[] = [];
  beforeAll(async () => {
    database = await freshDatabase();
    const open = async (): Promise<PrismaService> => {
      const service = await PrismaService.open(database.config);
      opened.push(service);
      return service;
    };
    prisma = await open();
    one = new LimitCounts(prisma);
    other = new LimitCounts(postgresUrl === undefined ? prisma : await open());
  });
  afterAll(async () => {
    for (const service of opened) await service.onApplicationShutdown();
    await database.drop();
  });
  let counted: { subject: string; part: string };
  beforeEach(() => void (counted = { subject: randomUUID(), part: 'balances' }));
  const take = async (limit: Limit, atMs = 0, of = counted): Promise<boolean> =>
    (await one.take(of, limit, start + atMs)).admitted;

  it('take exactly the limit of simultaneous acts at two processes, and one for each that is given back', async () => {
    const atOnce = async (atMs: number): Promise<number> => {
      const act = (number: number) => (number % 2 === 0 ? one : other).take(counted, reads, start + atMs);
      const acts = await Promise.all(Array.from({ length: 60 }, (_, number) => act(number)));
      return acts.filter(({ admitted }) => admitted).length;
    };
    expect(await atOnce(0)).toBe(4);
    expect(await atOnce(1)).toBe(0);
    await Promise.all([one.giveBack(counted, start), other.giveBack(counted, start)]);
    expect(await atOnce(2)).toBe(2);
  });

  it('report the times that count, also with an act beyond the limit, which does not count', async () => {
    const at = (atMs: number) => one.take(counted, { most: 2, windowMs: 1_000 }, start + atMs);
    expect(await at(0)).toEqual({ admitted: true, atMs: [start] });
    expect(await at(1)).toEqual({ admitted: true, atMs: [start, start + 1] });
    expect(await at(2)).toEqual({ admitted: false, atMs: [start, start + 1] });
    expect(await at(999)).toMatchObject({ admitted: false });
    expect(await at(1_000)).toEqual({ admitted: true, atMs: [start + 1, start + 1_000] });
  });

  it('are separate for each subject and each of its parts', async () => {
    for (const expected of [true, true, true, true, false]) expect(await take(reads)).toBe(expected);
    expect(await take(reads, 0, { ...counted, part: 'transactions' })).toBe(true);
    expect(await take(reads, 0, { ...counted, subject: randomUUID() })).toBe(true);
  });

  it('write nothing for an act beyond the limit', async () => {
    for (let act = 0; act < 4; act++) await take(reads);
    const version = async () =>
      prisma.$queryRaw`SELECT xmin::text, xmax::text FROM limit_counts WHERE subject = ${counted.subject}`;
    const before = await version();
    expect(await take(reads, 5)).toBe(false);
    expect(await version()).toEqual(before);
  });

  it('are removed a day after the newest act, in batches', async () => {
    await prisma.limitCount.deleteMany();
    for (const subject of ['one', 'two', 'three']) await take(reads, 0, { subject, part: '' });
    await take(reads, 1, { subject: 'one', part: '' });
    expect(await sweepLimitCounts(prisma, start + dayMs, 10)).toBe(0);
    expect(await sweepLimitCounts(prisma, start + dayMs + 1, 1)).toBe(1);
    expect(await sweepLimitCounts(prisma, start + dayMs + 1, 10)).toBe(1);
    expect(await prisma.limitCount.count()).toBe(1);
  });

  it('are removed by the gateway itself, at most once a minute', async () => {
    await prisma.limitCount.deleteMany();
    const counts = new LimitCounts(prisma);
    const taken = (subject: string, atMs: number) => counts.take({ subject, part: '' }, reads, start + atMs);
    const left = async () => (await prisma.limitCount.findMany()).map(({ subject }) => subject).sort();
    await taken('old', 0);
    await taken('new', dayMs + 1);
    await until(async () => (await prisma.limitCount.count()) === 1);
    expect(await left()).toEqual(['new']);
    await taken('newer', 2 * dayMs + 2);
    await until(async () => (await prisma.limitCount.count()) === 1);
    expect(await left()).toEqual(['newer']);
  });

  describe('for the starts of sign-ins', () => {
    const limit = limitOfStarts(defaultSignIn);
    const noDelays = { ...limit, delaysMs: [] };

    it.each([
      ['with delays three', limit, defaultSignIn.freeStarts],
      ['without five', noDelays, defaultSignIn.starts],
    ])('take of 100 at once %s', async (_what, of, most) => {
      const taken = await Promise.all(Array.from({ length: 100 }, () => take(of)));
      expect(taken.filter(Boolean).length).toBe(most);
    });

    it('let them follow each other after growing delays, to the millisecond, and never more than five in 15 minutes', async () => {
      const taken: number[] = [];
      for (const atMs of [0, 0, 0, minuteMs - 1, minuteMs, 3 * minuteMs - 1, 3 * minuteMs, 15 * minuteMs - 1])
        if (await take(limit, atMs)) taken.push(atMs);
      expect(taken).toEqual([0, 0, 0, minuteMs, 3 * minuteMs]);
      // The three of the first moment are out of the window, to the millisecond.
      expect(await take(limit, 15 * minuteMs)).toBe(true);
    });

    it('delay no customer without a delay because a process with a fast clock has taken a start', async () => {
      await take(limit, 50);
      expect(await take(limit, 0)).toBe(true);
    });

    it('do not contain those that are given back, one at a time', async () => {
      for (let i = 0; i < 3; i++) await take(limit);
      expect(await take(limit)).toBe(false);
      await one.giveBack(counted, start);
      expect([await take(limit), await take(limit)]).toEqual([true, false]);
      await one.giveBack(counted, start + 7);
      expect(await take(limit)).toBe(false);
    });

    it('are forgotten by subject, with all its parts and with no other subject', async () => {
      const [mary, maria, address] = [randomUUID(), randomUUID(), randomUUID()];
      const subjects = [mary, maria].flatMap((subject) => ['', 'browser'].map((part) => ({ subject, part })));
      const once = { most: 1, windowMs: minuteMs };
      const takeAll = async (): Promise<boolean[]> => {
        const taken: boolean[] = [];
        for (const of of [...subjects, { subject: address, part: '' }]) taken.push(await take(once, 0, of));
        return taken;
      };
      expect(await takeAll()).toEqual([true, true, true, true, true]);
      await one.forget(mary);
      expect(await takeAll()).toEqual([true, true, false, false, false]);
      await one.forget('nobody');
      // Begun before it was forgotten, and given back after it.
      await one.forget(maria);
      await one.giveBack({ subject: maria, part: '' }, start);
      expect(await takeAll()).toEqual([false, false, true, true, false]);
    });
  });
});
