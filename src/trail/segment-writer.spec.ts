import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../test/support/fake-clock.js';
import { linesOfFile, trailEvents, trailFiles } from '../../test/support/read-trail.js';
import { until } from '../../test/support/until.js';
import { mostLineBytes, type TppEvent, type WrittenEvent } from './event.js';
import { OpenSegment, type ClosedSegment, type OpenFile } from './open-segment.js';
import { openingFault } from './opening.js';
import { trailKey } from './root-record.js';
import { SegmentWriter } from './segment-writer.js';
import type { TrailFault } from './trail.js';
import type { WithdrawalEvent } from './withdrawal-event.js';

const start = Date.parse('2026-11-24T12:00:00.000Z');
const hourMs = 3_600_000;
const key = trailKey('the secret of a trail in a test, long enough');
const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

/** A disk that fails, or never answers, as long as a test says so. */
class Disk {
  writes: 'good' | 'full' | 'half' | 'stuck' = 'good';
  syncs: 'good' | 'failing' | 'stuck' = 'good';
  truncates: 'good' | 'failing' = 'good';

  readonly open: OpenFile = async (path, flags, mode) => {
    const handle = await open(path, flags, mode);
    const [writeFile, datasync, truncate] = [
      handle.writeFile.bind(handle),
      handle.datasync.bind(handle),
      handle.truncate.bind(handle),
    ];
    return Object.assign(handle, {
      writeFile: async (text: Buffer) => {
        if (this.writes === 'stuck') await until(() => this.writes !== 'stuck');
        if (this.writes === 'half') await writeFile(text.subarray(0, Math.ceil(text.length / 2)));
        if (this.writes !== 'good') throw full;
        await writeFile(text);
      },
      datasync: async () => {
        if (this.syncs === 'stuck') await until(() => this.syncs !== 'stuck');
        if (this.syncs === 'failing') throw full;
        await datasync();
      },
      truncate: async (length: number) => {
        if (this.truncates === 'failing') throw full;
        await truncate(length);
      },
    });
  };
}

describe('the writer of segments', () => {
  let directory: string;
  let clock: FakeClock;
  let disk: Disk;
  let closed: ClosedSegment[];
  let faults: unknown[];
  let recovered: number[];
  const writers: SegmentWriter[] = [];

  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'segments-')), 'trail');
    clock = new FakeClock(start);
    disk = new Disk();
    [closed, faults, recovered] = [[], [], []];
  });
  afterEach(async () => {
    Object.assign(disk, new Disk());
    for (const writer of writers.splice(0)) await writer.close();
    await rm(directory, { recursive: true, force: true });
  });

  const writerOf = (fault: TrailFault = 'count', instance = 'host-1-00000001'): SegmentWriter => {
    const writer = new SegmentWriter({
      directory,
      fault,
      instance,
      clock,
      process: 'here 1 1',
      release: '1.2.3',
      key,
      open: disk.open,
      watch: { failing: (error) => void faults.push(error), recovered: (lost) => void recovered.push(lost) },
    });
    writer.onClosed = (content) => void closed.push(content);
    writers.push(writer);
    return writer;
  };
  const event = (id: string): TppEvent => ({
    kind: 'tpp',
    id,
    at: new Date(clock.nowMs()).toISOString(),
    event: 'suspended',
    by: 'bank',
    issuer: 'https://issuer.example',
    tpp: 'tpp-one',
  });
  const idsIn = (events: readonly WrittenEvent[]): string[] =>
    events.filter(({ kind }) => kind !== 'segment').map(({ id }) => id);

  it('opens a file for the first event only, and numbers the events in it', async () => {
    const writer = writerOf();
    await writer.flush();
    expect(await readdir(join(directory, '..'))).toEqual([]);
    writer.record(event('one'));
    writer.record(event('two'));
    await writer.flush();
    const events = await trailEvents(directory);
    expect(events.map(({ seq, kind, instance, release, v }) => [seq, kind, instance, release, v])).toEqual([
      [1, 'segment', 'host-1-00000001', '1.2.3', 1],
      [2, 'tpp', 'host-1-00000001', '1.2.3', 1],
      [3, 'tpp', 'host-1-00000001', '1.2.3', 1],
    ]);
    expect((await trailFiles(directory)).map(({ state, segment }) => [state, segment])).toEqual([
      ['open', '20261124T120000000Z.host-1-00000001'],
    ]);
    expect([writer.writtenEvents, writer.lostEvents]).toEqual([2, 0]);
  });

  it('closes a segment after an hour, to the millisecond, at midnight UTC, and at the end', async () => {
    const writer = writerOf();
    for (const afterMs of [0, hourMs - 1, 1, 10 * hourMs, 59 * 60_000 + 59_999, 1]) {
      clock.advance(afterMs);
      writer.record(event(String(afterMs)));
      await writer.flush();
    }
    await writer.close();
    expect(closed.map((one) => [one.closed, one.segment.slice(0, 19)])).toEqual([
      ['hour', '20261124T120000000Z'],
      ['hour', '20261124T130000000Z'],
      ['midnight', '20261124T230000000Z'],
      ['stop', '20261125T000000000Z'],
    ]);
    const files = await trailFiles(directory);
    expect(files.map(({ state }) => state)).toEqual(['closed', 'closed', 'closed', 'closed']);
    expect(await Promise.all(files.map(async ({ path }) => (await linesOfFile(path)).length))).toEqual([3, 2, 3, 2]);
  });

  it('closes an idle segment too', async () => {
    const writer = writerOf();
    writer.record(event('one'));
    await writer.flush();
    clock.advance(hourMs);
    await writer.flush();
    expect(closed).toHaveLength(1);
  });

  it('closes a segment at 100,000 events', async () => {
    const writer = writerOf();
    for (let count = 0; count < 99_999; count++) {
      writer.record(event(String(count)));
      if (count % 10_000 === 0) await writer.flush();
    }
    await writer.flush();
    // Two segments of one moment would have one name.
    clock.advance(1);
    for (const id of ['last but one', 'last']) writer.record(event(id));
    await writer.close();
    expect(closed.map((one) => one.closed)).toEqual(['full', 'stop']);
    const files = await trailFiles(directory);
    expect(await Promise.all(files.map(async ({ path }) => (await linesOfFile(path)).length))).toEqual([100_000, 3]);
    expect(writer.lostEvents).toBe(0);
  });

  it('begins each segment with a line that only this gateway can sign', async () => {
    const writer = writerOf();
    writer.record(event('one'));
    await writer.close();
    const [first] = await trailEvents(directory);
    const keys = new Map([[key.keyId, key.publicKey]]);
    expect(openingFault('20261124T120000000Z.host-1-00000001', { ...first }, keys)).toBeUndefined();
    expect(openingFault('20261124T130000000Z.host-1-00000001', { ...first }, keys)).toContain('not of this name');
  });

  it('shows that it lives by a time that the file system notes by its own clock', async () => {
    const segment = await OpenSegment.create(directory, new Date(start), 'host-1-00000001');
    const [{ path = '' } = {}] = await trailFiles(directory);
    const { ctimeMs } = await stat(path);
    await until(async () => {
      await segment.touch();
      return (await stat(path)).ctimeMs > ctimeMs;
    });
    await segment.leave();
  });

  it('keeps each line within its limit: of an event that is too long the names stay', async () => {
    const writer = writerOf();
    writer.record({ ...event('long'), tpp: 'ä'.repeat(mostLineBytes) });
    writer.record({ ...event('short'), tpp: 'ä'.repeat(100) });
    await writer.flush();
    const [, long, short] = await trailEvents(directory);
    expect(long).toMatchObject({ kind: 'tpp', id: 'long', tooLong: true });
    expect(long).not.toHaveProperty('tpp');
    expect(short).not.toHaveProperty('tooLong');
  });

  it('keeps the names of an event of which no JSON can be made, and the events behind it', async () => {
    const writer = writerOf('refuse');
    const odd = { ...event('odd'), tpp: 1n as unknown as string };
    await Promise.all([odd, event('next')].map((each) => writer.written(each)));
    expect((await trailEvents(directory)).slice(1)).toMatchObject([
      { kind: 'tpp', id: 'odd', tooLong: true },
      { kind: 'tpp', id: 'next', by: 'bank' },
    ]);
    expect(writer.lostEvents).toBe(0);
  });

  it('on a full disk loses events, counts them, and writes their number with the next event', async () => {
    const writer = writerOf();
    writer.record(event('before'));
    await writer.flush();
    disk.writes = 'half';
    for (const id of ['lost 1', 'lost 2', 'lost 3']) writer.record(event(id));
    await writer.flush();
    expect([writer.lostEvents, faults]).toEqual([3, [full]]);
    disk.writes = 'good';
    writer.record(event('after'));
    await writer.flush();
    const events = await trailEvents(directory);
    expect(idsIn(events)).toEqual(['before', 'after']);
    expect(events.at(-1)).toMatchObject({ seq: 3, lost: 3 });
    expect(recovered).toEqual([3]);
    expect(writer.mustRefuse).toBe(false);
  });

  it('writes the number in the first line, where no segment could be opened', async () => {
    const writer = writerOf();
    disk.writes = 'full';
    for (const id of ['lost 1', 'lost 2']) writer.record(event(id));
    await writer.flush();
    disk.writes = 'good';
    writer.record(event('after'));
    await writer.flush();
    expect(await trailEvents(directory)).toMatchObject([
      { kind: 'segment', lostBefore: 2 },
      { id: 'after', seq: 2 },
    ]);
  });

  it('gives up a file that may end with half a line, for another segment', async () => {
    const writer = writerOf();
    writer.record(event('before'));
    await writer.flush();
    Object.assign(disk, { writes: 'half', truncates: 'failing' });
    writer.record(event('lost'));
    await writer.flush();
    Object.assign(disk, new Disk());
    clock.advance(1);
    writer.record(event('after'));
    await writer.flush();
    expect(writer.left).toEqual(['20261124T120000000Z.host-1-00000001']);
    expect((await trailFiles(directory)).map(({ segment }) => segment.slice(0, 19))).toEqual([
      '20261124T120000000Z',
      '20261124T120000001Z',
    ]);
  });

  it('goes on in another segment when the folder was removed', async () => {
    const writer = writerOf();
    writer.record(event('before'));
    await writer.flush();
    await rm(directory, { recursive: true });
    clock.advance(1);
    await until(async () => {
      writer.record(event('after'));
      await writer.flush();
      return (await readdir(directory).catch(() => [])).length > 0;
    });
    expect(idsIn(await trailEvents(directory))).toContain('after');
    expect(writer.lostEvents).toBe(0);
  });

  it('goes on in another segment when another process has closed its file', async () => {
    const writer = writerOf();
    writer.record(event('before'));
    await writer.flush();
    const [file] = await trailFiles(directory);
    await rename(file?.path ?? '', (file?.path ?? '').replace('.open', ''));
    clock.advance(1);
    await until(async () => {
      writer.record(event('after'));
      await writer.flush();
      return (await trailFiles(directory)).length === 2;
    });
    await writer.close();
    expect(closed.map(({ segment }) => segment)).toEqual(['20261124T120000001Z.host-1-00000001']);
  });

  it('of two processes in one folder has a file for each', async () => {
    const [one, other] = [writerOf('count', 'host-1-00000001'), writerOf('count', 'host-1-00000002')];
    for (let count = 0; count < 50; count++)
      for (const [name, writer] of [['one', one] as const, ['other', other] as const]) {
        writer.record(event(`${name} ${count}`));
        void writer.flush();
      }
    await Promise.all([one.close(), other.close()]);
    const files = await trailFiles(directory);
    expect(files.map(({ instance }) => instance)).toEqual(['host-1-00000001', 'host-1-00000002']);
    for (const { path } of files) expect(await linesOfFile(path)).toHaveLength(51);
  });

  it('takes no more events than fit while the disk hangs, and counts the others', async () => {
    const writer = writerOf();
    writer.record(event('before'));
    await writer.flush();
    disk.writes = 'stuck';
    writer.record(event('stuck'));
    const flushed = writer.flush();
    await until(() => writer.lagMs === 0);
    for (let count = 0; count < 20_003; count++) writer.record(event(String(count)));
    expect(writer.lostEvents).toBe(3);
    expect(writer.mustRefuse).toBe(false);
    disk.writes = 'good';
    await flushed;
    await writer.flush();
    expect(await trailEvents(directory)).toHaveLength(20_003);
  });

  describe('of withdrawals', () => {
    const withdrawal = (id: string): WithdrawalEvent => ({
      kind: 'withdrawal',
      id,
      at: new Date(clock.nowMs()).toISOString(),
      event: 'consent-deleted',
      consent: id,
    });
    const written = async (): Promise<[string, number | undefined][]> =>
      (await trailEvents(directory)).flatMap((one) => (one.kind === 'withdrawal' ? [[one.id, one.number]] : []));

    it('informs its caller that the disk is full, and writes them once, as soon as it has room', async () => {
      const writer = writerOf();
      await writer.written(withdrawal('one'));
      disk.writes = 'half';
      for (const id of ['two', 'three']) await expect(writer.written(withdrawal(id))).rejects.toBe(full);
      expect(await written()).toEqual([['one', 1]]);
      disk.writes = 'good';
      writer.start();
      await until(async () => (await written()).length === 3);
      expect((await written()).sort()).toEqual([
        ['one', 1],
        ['three', expect.any(Number)],
        ['two', expect.any(Number)],
      ]);
      expect((await written()).map(([, number]) => number)).toEqual([1, 2, 3]);
      expect([writer.lostEvents, faults, recovered]).toEqual([0, [full], [0]]);
    });

    it('writes them again where an fsync failed, which may have lost them', async () => {
      const writer = writerOf();
      disk.syncs = 'failing';
      await expect(writer.written(withdrawal('one'))).rejects.toBe(full);
      disk.syncs = 'good';
      clock.advance(1);
      writer.start();
      await until(async () => (await written()).length === 2);
      expect(await written()).toEqual([
        ['one', 1],
        ['one', 1],
      ]);
    });

    it('says how long they wait, until they are written', async () => {
      const writer = writerOf();
      disk.writes = 'full';
      await expect(writer.written(withdrawal('one'))).rejects.toBe(full);
      await until(() => writer.lagMs > 300);
      disk.writes = 'good';
      await writer.flush();
      expect(writer.lagMs).toBe(0);
    });

    it('writes them when it stops', async () => {
      const writer = writerOf();
      disk.writes = 'full';
      await expect(writer.written(withdrawal('one'))).rejects.toBe(full);
      disk.writes = 'good';
      await writer.close();
      expect(await written()).toEqual([['one', 1]]);
    });

    it('leaves those that it cannot write even then, and stops', async () => {
      const writer = writerOf();
      disk.writes = 'full';
      await expect(writer.written(withdrawal('one'))).rejects.toBe(full);
      await writer.close();
      expect(await trailFiles(directory)).toEqual([]);
    });

    it('writes none into a file that was removed', async () => {
      const writer = writerOf();
      await writer.written(withdrawal('one'));
      await rm(directory, { recursive: true });
      clock.advance(1);
      await writer.written(withdrawal('two'));
      expect(await written()).toEqual([['two', 1]]);
    });
  });

  describe('that refuses', () => {
    it('resolves once the event is on the disk, and writes those that come meanwhile together', async () => {
      const writer = writerOf('refuse');
      await writer.written(event('one'));
      expect(idsIn(await trailEvents(directory))).toEqual(['one']);
      await Promise.all(['two', 'three', 'four'].map((id) => writer.written(event(id))));
      expect(idsIn(await trailEvents(directory))).toEqual(['one', 'two', 'three', 'four']);
      expect(writer.mustRefuse).toBe(false);
    });

    it('refuses requests after a failed write, until a write succeeds', async () => {
      const writer = writerOf('refuse');
      await writer.written(event('one'));
      disk.writes = 'full';
      await expect(writer.written(event('lost'))).rejects.toBe(full);
      expect(writer.mustRefuse).toBe(true);
      disk.writes = 'good';
      await writer.written(event('probe'));
      expect(writer.mustRefuse).toBe(false);
      expect(idsIn(await trailEvents(directory))).toEqual(['one', 'probe']);
    });

    it('refuses requests while a write hangs for more than a second', async () => {
      const writer = writerOf('refuse');
      await writer.written(event('one'));
      disk.writes = 'stuck';
      const stuck = writer.written(event('two'));
      await until(() => writer.mustRefuse);
      disk.writes = 'good';
      await stuck;
      writer.start();
      await until(() => !writer.mustRefuse);
    });

    it('refuses requests while the fsync of an event is more than a second late, and never where fsyncs succeed', async () => {
      const writer = writerOf('refuse');
      writer.start();
      disk.syncs = 'stuck';
      let isWritten = false;
      const written = writer.written(event('one')).then(() => (isWritten = true));
      await until(() => writer.mustRefuse);
      expect([isWritten, idsIn(await trailEvents(directory))]).toEqual([false, ['one']]);
      disk.syncs = 'good';
      await written;
      await until(() => !writer.mustRefuse);
    });

    it('refuses requests after a failed fsync, and goes on in another segment', async () => {
      const writer = writerOf('refuse');
      writer.start();
      disk.syncs = 'stuck';
      const failed = expect(writer.written(event('one'))).rejects.toBe(full);
      await until(() => writer.mustRefuse);
      // Before the next segment, because no two have the same time.
      clock.advance(1);
      disk.syncs = 'failing';
      await failed;
      await until(() => writer.mustRefuse);
      disk.syncs = 'good';
      await writer.written(event('two'));
      await until(() => !writer.mustRefuse);
      expect(writer.left).toEqual(['20261124T120000000Z.host-1-00000001']);
      expect(idsIn(await trailEvents(directory))).toEqual(['one', 'two']);
    });
  });
});
