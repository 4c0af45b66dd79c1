import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandSettings } from '../../ops/command-settings.js';
import { readTrailRetention } from '../../src/config/retention-days.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { linkAfter, signRecord, trailKey, type ChainRecord } from '../../src/trail/root-record.js';
import { dayOf } from '../../src/trail/segment-names.js';
import { TrailRootsStore } from '../../src/trail/trail-roots.store.js';
import { FakeClock } from '../support/fake-clock.js';
import { freshRoles, postgresUrl } from '../support/fresh-database.js';
import { emptyDatabase } from '../support/lent-pglite.js';
import { opsCommand, trailCommand } from '../support/ops-command.js';
import { request, trailSecret, WrittenTrail } from '../support/written-trail.js';

const [one, other] = ['gateway-1-11111111', 'gateway-2-22222222'];

describe('retention of the trail', () => {
  const closings: (() => Promise<unknown>)[] = [];
  const clock = new FakeClock(Date.parse('2026-11-24T12:00:00.000Z'));
  /** On PostgreSQL the gateways and the command have the rights of their roles. */
  let prismaOf: Readonly<Record<'maintenance' | 'serving', PrismaService>>;
  let databaseUrl: string | undefined;
  let trail: WrittenTrail;
  let elsewhere: string;
  let segments: string[];

  beforeEach(async () => {
    // The chain of each test is another: no row of it can be removed.
    if (postgresUrl === undefined) {
      const { prisma, close } = await emptyDatabase();
      closings.push(close);
      prismaOf = { maintenance: prisma, serving: prisma };
    } else {
      const roles = await freshRoles(postgresUrl);
      const [maintenance, serving] = [
        await PrismaService.open(roles.maintenance),
        await PrismaService.open(roles.serving),
      ];
      closings.push(
        roles.drop,
        () => maintenance.onApplicationShutdown(),
        () => serving.onApplicationShutdown(),
      );
      prismaOf = { maintenance, serving };
      databaseUrl = roles.maintenance.url;
    }
    process.env['TRAIL_KEY'] = trailSecret;
    trail = await WrittenTrail.make();
    elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
    segments = [
      await trail.close('2026-11-19T23:00:00.000Z', one, [request('a-1', '2026-11-19T23:01:00.000Z')]),
      await trail.close('2026-11-20T10:00:00.000Z', one, [request('b-1', '2026-11-20T10:01:00.000Z')]),
      await trail.close('2026-11-20T11:00:00.000Z', other, [request('c-1', '2026-11-20T11:01:00.000Z')]),
      await trail.close('2026-11-24T10:00:00.000Z', one, [request('d-1', '2026-11-24T10:01:00.000Z')]),
    ];
    await root(trail.records);
  });
  afterEach(async () => {
    delete process.env['TRAIL_KEY'];
    delete process.env['DATABASE_URL'];
    await trail.remove();
    await rm(elsewhere, { recursive: true });
    for (const close of closings.splice(0).reverse()) await close();
  });

  /** Puts records into the chain as the gateways do. */
  async function root(records: readonly ChainRecord[]): Promise<void> {
    const store = new TrailRootsStore(prismaOf.serving);
    for (const record of records) if ('segment' in record) await store.append(record.segment, () => record);
  }
  /** Moves the files of a segment to the folder of the other machine. */
  async function move(segment: string, states: readonly ('closed' | 'root')[] = ['closed', 'root']): Promise<void> {
    await mkdir(join(elsewhere, dayOf(segment)), { recursive: true });
    for (const state of states) {
      const path = trail.path(segment, state);
      await rename(path, path.replace(trail.folder, elsewhere));
    }
  }
  async function retention(days: number, directory = trail.folder, prisma = prismaOf.maintenance) {
    const openDatabase: CommandSettings['openDatabase'] = async () =>
      new Proxy(prisma, {
        get: (target, name) => (name === 'onApplicationShutdown' ? async () => undefined : Reflect.get(target, name)),
      });
    const { code, text, told } = await opsCommand(['retention', '--json'], {
      openDatabase,
      clock,
      retentionDays: () => 400,
      trailRetention: () => ({ days, directory, key: trailSecret }),
    });
    const trailPart = text === '' ? undefined : (JSON.parse(text) as { trail: unknown }).trail;
    return { code, drops: trailPart, complaint: told.join('\n') };
  }
  const verify = (...folders: string[]) =>
    trailCommand('verify', ...(folders.length === 0 ? [trail.folder] : folders).flatMap((dir) => ['--trail', dir]));
  const verdict = async (...folders: string[]) => {
    const { code, text } = await trailCommand(
      'verify',
      '--json',
      ...(folders.length === 0 ? [trail.folder] : folders).flatMap((dir) => ['--trail', dir]),
    );
    const { faults, droppedDays, stillHere } = JSON.parse(text) as Record<string, unknown>;
    return { code, faults, droppedDays, stillHere };
  };
  const nothing = { recorded: [], removed: [], waiting: [] };

  it('drops a day when the whole of it is as old as the setting says, and not a millisecond sooner', async () => {
    clock.set(Date.parse('2026-11-22T00:00:00.000Z') - 1);
    expect(await retention(1)).toMatchObject({ drops: { removed: ['2026-11-19'] } });
    expect((await readdir(trail.folder)).sort()).toEqual(['2026-11-20', '2026-11-24', 'dropped.2026-11-19.ndjson']);
    clock.set(Date.parse('2026-11-22T00:00:00.000Z'));
    expect(await retention(1)).toMatchObject({ drops: { recorded: ['2026-11-20'], removed: ['2026-11-20'] } });
    clock.set(Date.parse('2026-11-24T12:00:00.000Z'));
    expect(await retention(1)).toMatchObject({ drops: nothing });
  });

  it('removes events, roots and index, and leaves a verification that distinguishes a deleted day from a missing one', async () => {
    await trailCommand('index', '--trail', trail.folder);
    expect((await readdir(join(trail.folder, '2026-11-20'))).join()).toContain('.parquet');
    expect(await retention(3)).toEqual({
      code: 0,
      drops: { recorded: ['2026-11-19', '2026-11-20'], removed: ['2026-11-19', '2026-11-20'], waiting: [] },
      complaint: '',
    });
    expect((await readdir(trail.folder)).sort()).toEqual([
      '2026-11-24',
      'dropped.2026-11-19.ndjson',
      'dropped.2026-11-20.ndjson',
    ]);
    expect(await verdict()).toEqual({ code: 0, faults: [], droppedDays: ['2026-11-19', '2026-11-20'], stillHere: [] });
    await rm(trail.path(segments[3] ?? '', 'closed'));
    expect((await verify()).text).toContain(`FAULT (missing): ${segments[3]}: the segment is missing`);
    expect(await retention(3)).toMatchObject({ code: 0, drops: nothing });
  });

  it('finds a record of a deleted day that was changed, removed or made up', async () => {
    await retention(3);
    const path = join(trail.folder, 'dropped.2026-11-20.ndjson');
    const kept = await readFile(path, 'utf8');
    await writeFile(path, kept.replace('"dropped":"2026-11-20"', '"dropped":"2026-11-24"'));
    expect((await verify()).text).toContain('FAULT (signature)');
    await writeFile(path, `${kept}half a li`);
    expect((await verify()).text).toContain(`FAULT (unreadable): ${path} is not a root record`);
    await rm(path);
    expect((await verify()).text).toMatch(/FAULT \(missing\): the records? .*missing from the chain/);
  });

  it('drops a day of several machines by one record, and each machine removes its own files', async () => {
    await move(segments[2] ?? '');
    expect(await retention(3)).toMatchObject({
      drops: { recorded: ['2026-11-19', '2026-11-20'], removed: ['2026-11-19', '2026-11-20'] },
    });
    expect(await verdict(trail.folder, elsewhere)).toEqual({
      code: 0,
      faults: [],
      droppedDays: ['2026-11-19', '2026-11-20'],
      stillHere: ['2026-11-20'],
    });
    expect((await verify(trail.folder, elsewhere)).text).toContain(
      'Deleted by retention, but files are still in a folder: 2026-11-20. Run retention on that machine.',
    );
    expect(await retention(3, elsewhere)).toMatchObject({ drops: { recorded: [], removed: ['2026-11-20'] } });
    expect(await verdict(trail.folder, elsewhere)).toMatchObject({ code: 0, faults: [], stillHere: [] });
    // The records of the day are with each machine.
    expect(await readFile(join(elsewhere, 'dropped.2026-11-20.ndjson'), 'utf8')).toBe(
      await readFile(join(trail.folder, 'dropped.2026-11-20.ndjson'), 'utf8'),
    );
  });

  it('keeps a day until each of its segments here has a root, on a machine that was unreachable as well', async () => {
    const late = await trail.close('2026-11-20T12:00:00.000Z', other, [request('e-1', '2026-11-20T12:01:00.000Z')]);
    await move(late);
    await move(segments[2] ?? '');
    expect(await retention(3)).toMatchObject({ code: 0, drops: { recorded: ['2026-11-19', '2026-11-20'] } });
    expect(await retention(3, elsewhere)).toMatchObject({
      code: 1,
      drops: { recorded: [], removed: [], waiting: ['2026-11-20'] },
    });
    expect(await readdir(join(elsewhere, '2026-11-20'))).toHaveLength(4);
    // The gateway of that machine roots it, after the record of the drop.
    const records = await readRecords(trail.folder);
    const rooted = trail.records.at(-1);
    if (rooted === undefined || !('segment' in rooted)) throw new Error('the test has written the segment');
    const { sequence: _, previous: __, keyId: ___, signature: ____, ...content } = rooted;
    const before = records.at(-1);
    await new TrailRootsStore(prismaOf.serving).append(late, (last) => {
      expect(last).toEqual(before);
      return signRecord(content, linkAfter(last), trailKey(trailSecret));
    });
    expect(await retention(3, elsewhere)).toMatchObject({ code: 0, drops: { removed: ['2026-11-20'] } });
    expect(await verdict(trail.folder, elsewhere)).toMatchObject({ code: 0, faults: [], stillHere: [] });
  });

  async function readRecords(folder: string): Promise<ChainRecord[]> {
    const files = (await readdir(folder)).filter((name) => name.startsWith('dropped.'));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    const lines = texts.flatMap((text) => text.trimEnd().split('\n'));
    return lines
      .map((line) => JSON.parse(line) as ChainRecord)
      .sort((first, second) => first.sequence - second.sequence);
  }

  it('keeps a day with a segment that a process has left open', async () => {
    await trail.open('2026-11-19T22:00:00.000Z', other, [request('e-1', '2026-11-19T22:01:00.000Z')]);
    expect(await retention(3)).toMatchObject({
      code: 1,
      drops: { recorded: ['2026-11-20'], removed: ['2026-11-20'], waiting: ['2026-11-19'] },
    });
  });

  it.each([
    ['after the record of the chain', ['dropped.2026-11-20.ndjson'], []],
    ['after the file of the records', [], []],
    ['after the segments', [], ['closed']],
    ['after the roots', [], ['closed', 'root']],
  ] as const)('that was cut off %s is reported, and finished by the next run', async (_when, unwritten, removed) => {
    const copy = await mkdtemp(join(tmpdir(), 'copy-'));
    await cp(join(trail.folder, '2026-11-20'), join(copy, '2026-11-20'), { recursive: true });
    await retention(3);
    await cp(join(copy, '2026-11-20'), join(trail.folder, '2026-11-20'), { recursive: true });
    await rm(copy, { recursive: true });
    for (const name of unwritten) await rm(join(trail.folder, name));
    for (const state of removed) for (const segment of segments.slice(1, 3)) await rm(trail.path(segment, state));
    if (unwritten.length === 0 && removed.length === 0)
      expect(await verdict()).toMatchObject({ code: 0, faults: [], stillHere: ['2026-11-20'] });
    expect(await retention(3)).toMatchObject({ code: 0, drops: { recorded: [], removed: ['2026-11-20'] } });
    expect(await verdict()).toMatchObject({ code: 0, faults: [], stillHere: [] });
    expect((await readdir(trail.folder)).sort()).toEqual([
      '2026-11-24',
      'dropped.2026-11-19.ndjson',
      'dropped.2026-11-20.ndjson',
    ]);
  });

  it('records the drop of a day whose files are gone already', async () => {
    await rm(join(trail.folder, '2026-11-20'), { recursive: true });
    expect((await verify()).text).toContain('FAULT (missing)');
    expect(await retention(3)).toMatchObject({ drops: { recorded: ['2026-11-19', '2026-11-20'] } });
    expect(await verdict()).toMatchObject({ code: 0, faults: [] });
  });

  it('removes nothing where the database does not take the record', async () => {
    const failing = new Proxy(prismaOf.maintenance, {
      get: (target, name) =>
        name === '$transaction' ? () => Promise.reject(new Error('the test says so')) : Reflect.get(target, name),
    });
    expect(await retention(3, trail.folder, failing)).toMatchObject({
      code: 1,
      complaint: 'the database failed (Error): fix the database and run this again; it continues where it stopped',
    });
    expect((await readdir(trail.folder)).sort()).toEqual(['2026-11-19', '2026-11-20', '2026-11-24']);
  });

  it('names the folder that it cannot read, after the counts of the database, and records nothing', async () => {
    const absent = join(elsewhere, 'absent');
    const { code, complaint = '' } = await retention(3, absent);
    const [counts, fault] = complaint.split('; ');
    expect([code, fault]).toEqual([
      1,
      `but the trail ${absent} cannot be read or written (ENOENT): name its folder by TRAIL_DIR and run this again`,
    ]);
    expect(counts).toMatch(
      /^0 consents that ended by \S+ were erased, 0 .* were removed, and 0 other rows .* were removed$/,
    );
    expect(await new TrailRootsStore(prismaOf.maintenance).daysBefore('2026-11-24')).toMatchObject({ recorded: [] });
  });

  it('two runs at the same time make one record', async () => {
    const runs = await Promise.all([retention(3), retention(3)]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(await verdict()).toMatchObject({ code: 0, faults: [], droppedDays: ['2026-11-19', '2026-11-20'] });
  });

  (postgresUrl === undefined ? it.skip : it)('is reported by the database as well', async () => {
    await retention(3);
    process.env['DATABASE_URL'] = databaseUrl;
    const { code, text, told } = await verify();
    expect([code, told]).toEqual([0, []]);
    expect(text).toContain('The roots come from the database.');
    expect(text).toContain('Deleted by retention: 2026-11-19, 2026-11-20');
  });
});

describe('TRAIL_RETENTION_DAYS', () => {
  it('keeps the trail where it is not set', () => {
    expect(readTrailRetention({ TRAIL_KEY: trailSecret })).toBeUndefined();
  });

  it('takes whole days from one, the folder of the gateways and their key', () => {
    expect(readTrailRetention({ TRAIL_RETENTION_DAYS: '1', TRAIL_KEY: trailSecret, DATA_DIR: '/d' })).toEqual({
      days: 1,
      directory: '/d/trail',
      key: trailSecret,
    });
  });

  it.each(['0', '-1', '1.5', '36501', 'x'])('refuses %s', (days) => {
    expect(() => readTrailRetention({ TRAIL_RETENTION_DAYS: days, TRAIL_KEY: trailSecret })).toThrow(
      'TRAIL_RETENTION_DAYS must be the days, from 1 to 36500',
    );
  });

  it('refuses to drop a day without the key', () => {
    expect(() => readTrailRetention({ TRAIL_RETENTION_DAYS: '400' })).toThrow('TRAIL_KEY is not set');
  });
});
