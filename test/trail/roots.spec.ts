import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { processMark } from '../../src/persistence/process-mark.js';
import { MerkleTree } from '../../src/trail/merkle.js';
import {
  follows,
  isSignedBy,
  noRecord,
  recordHash,
  trailKey,
  type ChainRecord,
  type SegmentRoot,
} from '../../src/trail/root-record.js';
import { dayOf, fileOf } from '../../src/trail/segment-names.js';
import { TrailRoots, type Chain } from '../../src/trail/trail-roots.js';
import { TrailRootsStore } from '../../src/trail/trail-roots.store.js';
import { FakeClock } from '../support/fake-clock.js';
import { emptyDatabase, type EmptyDatabase } from '../support/lent-pglite.js';
import { rootRecords, trailFiles } from '../support/read-trail.js';

const now = Date.parse('2026-11-24T12:00:00.000Z');
const key = trailKey('the secret of a trail in a test, long enough');

describe('the roots of segments', () => {
  let database: EmptyDatabase;
  let prisma: PrismaService;
  let directory: string;
  let recovered: SegmentRoot[];
  let count = 0;

  beforeAll(async () => {
    database = await emptyDatabase();
    prisma = database.prisma;
  });
  afterAll(async () => {
    await database.close();
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'roots-'));
    recovered = [];
  });
  afterEach(() => rm(directory, { recursive: true }));

  const rootsOf = (chain: Chain = new TrailRootsStore(prisma), instance = 'host-1-0123abcd'): TrailRoots =>
    new TrailRoots({
      directory,
      key,
      chain,
      instance,
      clock: new FakeClock(now),
      onRecovered: (content) => void recovered.push(content),
    });
  const contentOf = (segment: string): SegmentRoot => ({
    v: 1,
    segment,
    day: dayOf(segment),
    instance: 'host-1-0123abcd',
    events: 1,
    bytes: 10,
    firstAt: '',
    lastAt: '',
    closed: 'stop',
    root: new MerkleTree().root(),
  });
  const newSegment = (instance = 'host-1-0123abcd'): string =>
    `20261124T11${String(count++).padStart(4, '0')}000Z.${instance}`;

  /** A file as a process leaves it. */
  const left = async (
    state: 'open' | 'closed',
    process: string,
    rest = '',
    touchedAtMs = now,
  ): Promise<{ segment: string; lines: string[] }> => {
    const segment = newSegment('other-2-0123abcd');
    const event = (seq: number, kind: string): string =>
      JSON.stringify({ v: 1, seq, kind, id: `${seq}`, at: `2026-11-24T11:00:0${seq}.000Z`, process });
    const lines = [event(1, 'segment'), event(2, 'tpp'), event(3, 'tpp')];
    const path = join(directory, dayOf(segment), fileOf(segment, state));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${lines.join('\n')}\n${rest}`);
    await utimes(path, touchedAtMs / 1_000, touchedAtMs / 1_000);
    return { segment, lines };
  };
  const deadProcess = async (): Promise<string> => {
    const child = spawn(process.execPath, ['-e', '']);
    const [place] = processMark().split(' ');
    const { pid } = child;
    await once(child, 'exit');
    return `${place} ${pid} some-start`;
  };
  const lastOfChain = async (): Promise<ChainRecord | undefined> =>
    (await prisma.trailRoot.findFirst({ orderBy: { sequence: 'desc' } }))?.record as ChainRecord | undefined;

  it('are one chain, which several processes make at once', async () => {
    const before = await lastOfChain();
    const processes = Array.from({ length: 4 }, () => rootsOf());
    for (let round = 0; round < 5; round++) for (const roots of processes) roots.add(contentOf(newSegment()));
    await mkdir(join(directory, '2026-11-24'));
    await Promise.all(processes.map((roots) => roots.rootAll()));
    const records = await rootRecords(directory);
    expect(records).toHaveLength(20);
    let last = before;
    for (const record of records) {
      expect([follows(record, last), isSignedBy(record, key.publicKey)]).toEqual([true, true]);
      last = record;
    }
    const rows = await prisma.trailRoot.findMany({ orderBy: { sequence: 'asc' } });
    expect(rows.slice(-20).map(({ record }) => record)).toEqual(records);
    expect(records[0]?.previous).toBe(before === undefined ? noRecord : recordHash(before));
  });

  it('are given once: a second call for the same segment gets the record of the first', async () => {
    await mkdir(join(directory, '2026-11-24'));
    const content = contentOf(newSegment());
    for (const roots of [rootsOf(), rootsOf()]) {
      roots.add(content);
      await roots.rootAll();
    }
    const rows = await prisma.trailRoot.findMany({ where: { segment: content.segment } });
    expect(rows).toHaveLength(1);
    expect(await rootRecords(directory)).toEqual([rows[0]?.record]);
  });

  it('are neither changed nor deleted nor emptied in the database', async () => {
    await mkdir(join(directory, '2026-11-24'));
    const roots = rootsOf();
    roots.add(contentOf(newSegment()));
    await roots.rootAll();
    const stored = await prisma.trailRoot.count();
    const changes: (() => PromiseLike<unknown>)[] = [
      () => prisma.trailRoot.updateMany({ data: { sequence: { increment: 1_000 } } }),
      () => prisma.trailRoot.deleteMany(),
      () => prisma.$executeRaw`TRUNCATE trail_roots`,
      () => prisma.$executeRaw`UPDATE trail_roots SET record = '{}' WHERE false`,
    ];
    for (const change of changes)
      await expect(Promise.resolve().then(change)).rejects.toThrow(/trail_roots takes new rows only|42501/);
    expect(await prisma.trailRoot.count()).toBe(stored);
  });

  it('wait while the database is away, without a record, and come with the next attempt', async () => {
    await mkdir(join(directory, '2026-11-24'));
    const store = new TrailRootsStore(prisma);
    let isAway = true;
    const roots = rootsOf({
      append: (id, make) => (isAway ? Promise.reject(new Error('away')) : store.append(id, make)),
    });
    roots.add(contentOf(newSegment()));
    await expect(roots.rootAll()).rejects.toThrow('away');
    expect([roots.waiting, (await trailFiles(directory)).length]).toEqual([1, 0]);
    isAway = false;
    await roots.rootAll();
    expect([roots.waiting, (await rootRecords(directory)).length]).toEqual([0, 1]);
  });

  it('come for the segment of a dead process, whose half line is cut', async () => {
    const { segment, lines } = await left('open', await deadProcess(), '{"v":1,"seq":4,"ki');
    await rootsOf().recover();
    const [record] = await rootRecords(directory);
    const tree = new MerkleTree();
    for (const line of lines) tree.add(line);
    expect(record).toMatchObject({
      segment,
      closed: 'recovered',
      cut: 18,
      events: 3,
      instance: 'other-2-0123abcd',
      root: tree.root(),
      firstAt: '2026-11-24T11:00:01.000Z',
      lastAt: '2026-11-24T11:00:03.000Z',
    });
    const [file] = await trailFiles(directory);
    expect(file?.state).toBe('closed');
    expect(await readFile(file?.path ?? '', 'utf8')).toBe(`${lines.join('\n')}\n`);
    expect((await stat(file?.path ?? '')).size).toBe((record as SegmentRoot | undefined)?.bytes);
    expect(recovered).toMatchObject([{ segment, cut: 18 }]);
    await rootsOf().recover();
    expect(await rootRecords(directory)).toHaveLength(1);
  });

  it('come for a segment that a dead process closed while the database was away', async () => {
    await left('closed', await deadProcess());
    await rootsOf().recover();
    expect(await rootRecords(directory)).toMatchObject([{ closed: 'recovered', events: 3 }]);
  });

  it('do not come for the segment of a living process, however long it has written nothing', async () => {
    await left('open', processMark(), '', now - 86_400_000);
    await left('closed', processMark(), '', now - 86_400_000);
    await rootsOf().recover();
    expect((await trailFiles(directory)).map(({ state }) => state)).toEqual(['open', 'closed']);
  });

  it('come for the segment of another machine once its process has not touched it for two minutes', async () => {
    await left('open', 'another-machine 1 some-start', '', now - 120_000);
    await rootsOf().recover();
    expect(await rootRecords(directory)).toEqual([]);
    await left('open', 'another-machine 1 some-start', '', now - 120_001);
    await rootsOf().recover();
    expect(await rootRecords(directory)).toHaveLength(1);
  });

  it('come for each dead segment once, when several processes start at the same moment', async () => {
    const dead = await deadProcess();
    for (let segments = 0; segments < 5; segments++) await left('open', dead, '{"half');
    const before = await prisma.trailRoot.count();
    await Promise.all(Array.from({ length: 4 }, () => rootsOf().recover()));
    expect(await prisma.trailRoot.count()).toBe(before + 5);
    expect(await rootRecords(directory)).toHaveLength(5);
  });

  it('do not come for a file without a whole event, which is removed', async () => {
    const segment = newSegment('other-3-0123abcd');
    const path = join(directory, dayOf(segment), fileOf(segment, 'open'));
    await mkdir(dirname(path), { recursive: true });
    await appendFile(path, '{"v":1,"seq":1');
    await utimes(path, now / 1_000 - 121, now / 1_000 - 121);
    await rootsOf().recover();
    expect(await trailFiles(directory)).toEqual([]);
  });
});
