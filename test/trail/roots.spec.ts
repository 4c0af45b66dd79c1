import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { processMark } from '../../src/persistence/process-mark.js';
import { MerkleTree } from '../../src/trail/merkle.js';
import { signOpening } from '../../src/trail/opening.js';
import {
  follows,
  isSignedBy,
  noRecord,
  recordHash,
  trailKey,
  type ChainRecord,
  type SegmentRoot,
} from '../../src/trail/root-record.js';
import { dayOf, fileOf, segmentOf } from '../../src/trail/segment-names.js';
import { SegmentWriter } from '../../src/trail/segment-writer.js';
import { TrailRoots, type Chain, type TrailRootsParts } from '../../src/trail/trail-roots.js';
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
  let recovered: Parameters<TrailRootsParts['onRecovered']>[0][];
  let refused: string[];
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
    [recovered, refused] = [[], []];
  });
  afterEach(() => rm(directory, { recursive: true }));

  const rootsOf = (chain: Chain = new TrailRootsStore(prisma), parts: Partial<TrailRootsParts> = {}): TrailRoots =>
    new TrailRoots({
      directory,
      key,
      chain,
      instance: 'host-1-0123abcd',
      clock: new FakeClock(now),
      onRecovered: (content) => void recovered.push(content),
      onRefused: (path, why) => void refused.push(`${basename(path)}: ${why}`),
      ...parts,
    });
  const newSegment = (instance = 'other-2-0123abcd', day = '20261124'): string =>
    `${day}T11${String(count++).padStart(4, '0')}000Z.${instance}`;
  const pathOf = (segment: string, state: 'open' | 'closed' | 'root'): string =>
    join(directory, dayOf(segment), fileOf(segment, state));

  interface Left {
    readonly segment?: string;
    readonly state?: 'open' | 'closed';
    readonly process?: string;
    /** Half a line at the end. */
    readonly half?: string;
    readonly opening?: object;
  }
  /** A file as a process leaves it. */
  const left = async ({
    segment = newSegment(),
    state = 'open',
    process,
    half = '',
    opening = signOpening(segment, key),
  }: Left): Promise<{ segment: string; lines: string[] }> => {
    const event = (seq: number, members: object): string =>
      JSON.stringify({ v: 1, seq, id: `${seq}`, at: `2026-11-24T11:00:0${seq}.000Z`, ...members });
    const lines = [
      event(1, { kind: 'segment', process: process ?? (await deadProcess()), ...opening }),
      event(2, { kind: 'tpp' }),
      event(3, { kind: 'tpp' }),
    ];
    await mkdir(dirname(pathOf(segment, state)), { recursive: true });
    await writeFile(pathOf(segment, state), `${lines.join('\n')}\n${half}`);
    return { segment, lines };
  };
  /** A segment that this process has closed. */
  const closed = async (segment = newSegment('host-1-0123abcd')) => {
    await left({ segment, state: 'closed', process: processMark() });
    return { segment, closed: 'stop' } as const;
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
    for (let round = 0; round < 5; round++) for (const roots of processes) roots.add(await closed());
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
    const { segment } = await closed();
    for (const roots of [rootsOf(), rootsOf()]) {
      roots.add({ segment, closed: 'stop' });
      await roots.rootAll();
    }
    const rows = await prisma.trailRoot.findMany({ where: { segment } });
    expect(rows).toHaveLength(1);
    expect(await rootRecords(directory)).toEqual([rows[0]?.record]);
  });

  it('are neither changed nor deleted nor emptied in the database', async () => {
    const roots = rootsOf();
    roots.add(await closed());
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

  it('wait while the database is unreachable, without a record, and come with the next attempt', async () => {
    const store = new TrailRootsStore(prisma);
    let mustRefuse = true;
    const roots = rootsOf({
      append: (id, make) => (mustRefuse ? Promise.reject(new Error('away')) : store.append(id, make)),
    });
    roots.add(await closed());
    await expect(roots.rootAll()).rejects.toThrow('away');
    expect([roots.waiting, (await rootRecords(directory)).length]).toEqual([1, 0]);
    mustRefuse = false;
    await roots.rootAll();
    expect([roots.waiting, (await rootRecords(directory)).length]).toEqual([0, 1]);
  });

  it('are made from the file, with the time of their signing', async () => {
    const roots = rootsOf();
    const { segment } = await closed();
    const lines = (await readFile(pathOf(segment, 'closed'), 'utf8')).trimEnd().split('\n');
    roots.add({ segment, closed: 'hour' });
    await roots.rootAll();
    const {
      sequence: _,
      previous: __,
      keyId: ___,
      signature: ____,
      ...content
    } = (await rootRecords(directory))[0] ?? {};
    expect(content).toEqual({
      v: 1,
      segment,
      day: '2026-11-24',
      instance: 'host-1-0123abcd',
      events: 3,
      bytes: (await stat(pathOf(segment, 'closed'))).size,
      firstAt: '2026-11-24T11:00:01.000Z',
      lastAt: '2026-11-24T11:00:03.000Z',
      closed: 'hour',
      root: treeOf(lines),
      signedAt: '2026-11-24T12:00:00.000Z',
    });
  });

  it('do not come for a file that was removed before, and the others still get theirs', async () => {
    const roots = rootsOf();
    const [gone, stays] = [await closed(), await closed()];
    for (const segment of [gone, stays]) roots.add(segment);
    await rm(pathOf(gone.segment, 'closed'));
    await roots.rootAll();
    expect(refused).toEqual([`${gone.segment}.ndjson: it was removed before it got its root`]);
    expect(await rootRecords(directory)).toMatchObject([{ segment: stays.segment }]);
    expect(roots.waiting).toBe(0);
  });

  it('come for the segment of a dead process, whose half line is cut', async () => {
    const { segment, lines } = await left({ half: '{"v":1,"seq":4,"ki' });
    await rootsOf().recover();
    const [record] = await rootRecords(directory);
    expect(record).toMatchObject({
      segment,
      closed: 'recovered',
      cut: 18,
      events: 3,
      instance: 'other-2-0123abcd',
      root: treeOf(lines),
      signedAt: '2026-11-24T12:00:00.000Z',
    });
    expect(await readFile(pathOf(segment, 'closed'), 'utf8')).toBe(`${lines.join('\n')}\n`);
    expect((await stat(pathOf(segment, 'closed'))).size).toBe((record as SegmentRoot | undefined)?.bytes);
    expect(recovered).toMatchObject([{ segment, cut: 18 }]);
    await rootsOf().recover();
    expect(await rootRecords(directory)).toHaveLength(1);
  });

  it('come for a segment that a dead process closed while the database was unreachable', async () => {
    await left({ state: 'closed' });
    await rootsOf().recover();
    expect(await rootRecords(directory)).toMatchObject([{ closed: 'recovered', events: 3 }]);
  });

  it('do not come for the segment of a living process, however long it has written nothing', async () => {
    for (const state of ['open', 'closed'] as const) await left({ state, process: processMark() });
    await rootsOf(undefined, { deadAfterMs: -1 }).recover();
    expect((await trailFiles(directory)).map(({ state }) => state)).toEqual(['open', 'closed']);
  });

  describe('of a process on another machine', () => {
    const process = 'another-machine 1 some-start';

    it('come once the process has not touched its file for the time after which it counts as dead', async () => {
      await left({ process });
      await rootsOf(undefined, { deadAfterMs: 60_000 }).recover();
      expect(await rootRecords(directory)).toEqual([]);
      await rootsOf(undefined, { deadAfterMs: -1 }).recover();
      expect(await rootRecords(directory)).toHaveLength(1);
    });

    it.each([-86_400_000, -121_000, 121_000, 86_400_000])(
      'do not come while it lives, though its clock differs by %i ms from that of this machine',
      async (aheadMs) => {
        const clock = new FakeClock(now + aheadMs);
        const writer = new SegmentWriter({
          directory,
          fault: 'count',
          instance: 'other-2-0123abcd',
          clock,
          process,
          release: '1.2.3',
          key,
          watch: { failing: () => undefined, recovered: () => undefined },
        });
        writer.record({ kind: 'tpp', id: '1', at: new Date(clock.nowMs()).toISOString(), event: 'changed', by: 'tpp' });
        await writer.flush();
        const segment = segmentOf(new Date(clock.nowMs()), 'other-2-0123abcd');
        // As an attacker does who wants the file to look old.
        await utimes(pathOf(segment, 'open'), 0, 0);
        await rootsOf().recover();
        expect((await trailFiles(directory)).map(({ state }) => state)).toEqual(['open']);
        await writer.close();
      },
    );
  });

  it('come for each dead segment once, when several processes start at the same moment', async () => {
    const process = await deadProcess();
    for (let segments = 0; segments < 5; segments++) await left({ process, half: '{"half' });
    const before = await prisma.trailRoot.count();
    await Promise.all(Array.from({ length: 4 }, () => rootsOf().recover()));
    expect(await prisma.trailRoot.count()).toBe(before + 5);
    expect(await rootRecords(directory)).toHaveLength(5);
  });

  it('do not come for a file without a whole event, which is removed', async () => {
    const path = pathOf(newSegment(), 'open');
    await mkdir(dirname(path), { recursive: true });
    await appendFile(path, '{"v":1,"seq":1');
    await rootsOf(undefined, { deadAfterMs: -1 }).recover();
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it('come for the segments of dead processes in each day, and later only in days that may still change', async () => {
    const [old, yesterday] = ['20261101', '20261123'].map((day) => newSegment('other-2-0123abcd', day));
    for (const segment of [old, yesterday]) await left({ segment });
    const roots = rootsOf();
    await roots.recover();
    expect(await rootRecords(directory)).toHaveLength(2);
    const [late, current] = ['20261102', '20261123'].map((day) => newSegment('other-3-0123abcd', day));
    for (const segment of [late, current]) await left({ segment });
    await roots.recover();
    expect(recovered.map(({ segment }) => segment)).toEqual([old, yesterday, current]);
    // The next process finds it.
    await rootsOf().recover();
    expect(recovered.at(-1)).toMatchObject({ segment: late });
  });

  describe('are refused, with the name and the reason', () => {
    const refusing = async (roots = rootsOf(undefined, { deadAfterMs: -1 })): Promise<string> => {
      await roots.recover();
      await roots.recover();
      expect([await rootRecords(directory), recovered, roots.refused]).toEqual([[], [], 1]);
      return refused.join();
    };

    it.each(['open', 'closed'] as const)('to a file that no gateway has begun (%s)', async (state) => {
      const { segment } = await left({ state, opening: {} });
      expect(await refusing()).toBe(`${fileOf(segment, state)}: its first line has no signature of a gateway`);
    });

    it('to a file that names a process which lives', async () => {
      await left({ process: processMark(), opening: {} });
      expect(await refusing()).toContain('no signature');
    });

    it('to a copy of a real first line under another name, and so in another day', async () => {
      const real = newSegment();
      for (const segment of [newSegment(), newSegment('other-2-0123abcd', '20261120'), newSegment('other-9-0123abcd')])
        await left({ segment, opening: signOpening(real, key) });
      await rootsOf().recover();
      expect(refused).toEqual(
        Array(3).fill(expect.stringContaining('the signature in its first line is not of this name')),
      );
      expect(await rootRecords(directory)).toEqual([]);
    });

    it('to a segment that another key has begun, which it names', async () => {
      const segment = newSegment();
      const former = trailKey('another secret of the trail in a test');
      await left({ segment, opening: signOpening(segment, former) });
      expect(await refusing()).toContain(`a signature of the key ${former.keyId}, which is not given here`);
    });

    it('to a segment in the folder of another day', async () => {
      const { segment } = await left({});
      await mkdir(join(directory, '2026-11-20'));
      await rename(pathOf(segment, 'open'), join(directory, '2026-11-20', fileOf(segment, 'open')));
      expect(await refusing()).toContain('a segment of 2026-11-24 is not in the folder of that day');
    });

    it('to a pipe and a link, without waiting for them', async () => {
      const [pipe, link] = [pathOf(newSegment(), 'open'), pathOf(newSegment(), 'closed')];
      await mkdir(dirname(pipe), { recursive: true });
      execFileSync('mkfifo', [pipe]);
      const { segment } = await left({});
      await symlink(pathOf(segment, 'closed'), link);
      const roots = rootsOf();
      await roots.recover();
      expect(refused).toEqual(Array(2).fill(expect.stringContaining('not a regular file')));
      expect(await rootRecords(directory)).toMatchObject([{ segment }]);
      for (const path of [pipe, link]) await rm(path);
      await roots.recover();
      expect(roots.refused).toBe(0);
    });

    it('to a file with a line that no gateway writes, without taking it into memory', async () => {
      const path = pathOf(newSegment(), 'open');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, 'x'.repeat(1_000_000));
      expect(await refusing()).toContain('a line that is longer than a gateway writes');
    });

    it('and nothing that stands in the way of a record leads the record elsewhere', async () => {
      const roots = rootsOf();
      const { segment } = await closed();
      const elsewhere = join(directory, 'elsewhere');
      await writeFile(elsewhere, 'precious');
      await symlink(elsewhere, `${pathOf(segment, 'root')}.new`);
      roots.add({ segment, closed: 'stop' });
      await roots.rootAll();
      expect(await readFile(elsewhere, 'utf8')).toBe('precious');
      expect(await rootRecords(directory)).toHaveLength(1);
    });
  });
});

function treeOf(lines: readonly string[]): string {
  const tree = new MerkleTree();
  for (const line of lines) tree.add(line);
  return tree.root();
}
