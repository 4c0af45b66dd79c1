import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BootError } from '../../src/config/boot-error.js';
import type { OpenBankingError } from '../../src/open-banking/errors.js';
import type { JournalEntry } from '../../src/consents/journal/journal-entry.dto.js';
import { FileRevocationJournal } from '../../src/consents/journal/revocation-journal.js';
import { FakeClock } from '../support/fake-clock.js';
import { journalKey, journalLines } from '../support/journal-lines.js';
import { dayMs, noon } from '../support/stack.js';
import { until } from '../support/until.js';

const patienceMs = 30_000;

describe('The revocation journal', () => {
  let folder: string;
  let clock: FakeClock;
  let journal: FileRevocationJournal;
  let failures: unknown[];
  let overdue: number[];
  /** The prototype of every open file. */
  let disk: FileHandle;
  let mend: () => void;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
    clock = new FakeClock(noon);
    [failures, overdue] = [[], []];
    const watch = { failed: (error: unknown) => failures.push(error), overdue: (lines: number) => overdue.push(lines) };
    journal = await FileRevocationJournal.open({ directory: folder, key: journalKey }, clock, watch);
    const handle = await open(folder, 'r');
    disk = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const { datasync, writeFile: write } = disk;
    mend = () => Object.assign(disk, { datasync, writeFile: write });
  });
  afterEach(async () => {
    mend();
    await journal.close();
    await rm(folder, { recursive: true, force: true });
  });

  const entry = (id: string): JournalEntry => ({
    at: new Date(clock.nowMs()).toISOString(),
    event: 'consent-revoked',
    id,
    by: 'bank',
  });
  const files = async (): Promise<readonly string[]> => (await readdir(folder)).sort();
  const ids = async (): Promise<readonly string[]> => (await journalLines(folder)).map(({ id }) => id);
  const noRoom = (): Promise<never> => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' }));
  /** The outcome of a withdrawal, and whether its change was made. */
  const withdraw = async (id: string): Promise<readonly [outcome: string, changed: boolean]> => {
    let changed = false;
    const outcome = await journal
      .withdraw(entry(id), async () => {
        changed = true;
        return 'acknowledged';
      })
      .catch((error: OpenBankingError) => error.details[0]?.message ?? '');
    return [outcome, changed];
  };
  const unacknowledged = expect.stringContaining('The change took effect, but is not in the revocation journal yet');

  it('leaves no file behind when it had no line to write', async () => {
    expect(await files()).toEqual([]);
  });

  it('has the entry on the disk before the change is made', async () => {
    let seen: readonly string[] = [];
    await journal.withdraw(entry('c1'), async () => {
      seen = await ids();
    });
    expect(seen).toEqual(['c1']);
    expect(await journalLines(folder)).toEqual([
      { at: '2026-06-15T12:00:00.000Z', event: 'consent-revoked', id: 'c1', by: 'bank' },
    ]);
  });

  it('is a file for each process and day that only its owner may read', async () => {
    await withdraw('c1');
    clock.advance(dayMs);
    await withdraw('c2');
    await withdraw('c3');
    const names = await files();
    const process = `${hostname()}.${globalThis.process.pid}.`;
    expect(names.map((name) => name.slice(0, 11 + process.length))).toEqual([
      `2026-06-15.${process}`,
      `2026-06-16.${process}`,
    ]);
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect(await ids()).toEqual(['c1', 'c2', 'c3']);
  });

  it('writes all entries that wait for the disk at once', async () => {
    let syncs = 0;
    const { datasync } = disk;
    disk.datasync = function (this: FileHandle) {
      syncs++;
      return datasync.call(this);
    };
    const many = Array.from({ length: 200 }, (_, index) => `c${index}`);
    await Promise.all(many.map(withdraw));
    expect(await ids()).toEqual(many);
    // The first entry alone, and then all that came meanwhile.
    expect(syncs).toBe(2);
  });

  it('lets a withdrawal happen when the disk is full, without acknowledging it, and later writes the missing lines once', async () => {
    await withdraw('c1');
    const { writeFile: write } = disk;
    disk.writeFile = async function (this: FileHandle, text: string | Uint8Array) {
      await write.call(this, String(text).slice(0, 20));
      return noRoom();
    };
    expect(await withdraw('c2')).toEqual([unacknowledged, true]);
    expect(await withdraw('c3')).toEqual([unacknowledged, true]);
    expect(failures).toHaveLength(1);
    expect(overdue).toEqual([1, 2]);
    mend();
    expect(await withdraw('c4')).toEqual(['acknowledged', true]);
    expect(await ids()).toEqual(['c1', 'c2', 'c3', 'c4']);
    expect(overdue).toEqual([1, 2, 0]);
  });

  it('writes the missing lines by itself as soon as it can', async () => {
    disk.datasync = noRoom;
    expect(await withdraw('c1')).toEqual([unacknowledged, true]);
    mend();
    await until(() => overdue.at(-1) === 0, patienceMs);
    expect(await ids()).toEqual(['c1']);
  });

  it('lets a withdrawal happen when the disk does not answer, and reports it until the disk answers', async () => {
    let answer = (): void => undefined;
    disk.datasync = () => new Promise((resolve) => (answer = resolve));
    // The second entry waits for the first.
    expect(await Promise.all(['c1', 'c2'].map(withdraw))).toEqual([
      [unacknowledged, true],
      [unacknowledged, true],
    ]);
    expect([failures, overdue.at(-1)]).toEqual([[new Error('the disk does not answer')], 2]);
    mend();
    answer();
    expect(await withdraw('c3')).toEqual(['acknowledged', true]);
    expect(await ids()).toEqual(['c1', 'c2', 'c3']);
    expect(overdue.at(-1)).toBe(0);
  });

  it('acknowledges no withdrawal whose change failed', async () => {
    await expect(journal.withdraw(entry('c1'), () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });

  it('begins a new file when its file was removed', async () => {
    await withdraw('c1');
    for (const name of await files()) await rm(join(folder, name));
    await withdraw('c2');
    expect(await ids()).toEqual(['c2']);
  });

  it('lets a withdrawal happen when the directory is missing, and continues when it is back', async () => {
    await withdraw('c1');
    await rename(folder, `${folder}-away`);
    clock.advance(dayMs);
    expect(await withdraw('c2')).toEqual([unacknowledged, true]);
    await rename(`${folder}-away`, folder);
    expect(await withdraw('c3')).toEqual(['acknowledged', true]);
    expect(await ids()).toEqual(['c1', 'c2', 'c3']);
  });

  it('writes the missing lines when it stops', async () => {
    disk.datasync = noRoom;
    await withdraw('c1');
    mend();
    await journal.close();
    expect(await ids()).toEqual(['c1']);
  });

  it.each([
    ['is not there', async (path: string) => rm(path, { force: true }), 'ENOENT'],
    ['is a file', async (path: string) => writeFile(path, ''), 'ENOTDIR'],
  ])('refuses, in one line, a directory that %s', async (_name, make, code) => {
    const path = join(folder, 'elsewhere');
    await make(path);
    const opened = FileRevocationJournal.open({ directory: path, key: journalKey }, clock, {
      failed: () => undefined,
      overdue: () => undefined,
    });
    await expect(opened).rejects.toThrow(BootError);
    await expect(opened).rejects.toThrow(
      `REVOCATION_JOURNAL names ${path}, where no file can be made (${code}): make it a folder that this user may write, on a disk with room.`,
    );
  });

  it('accepts a directory with files of other programs', async () => {
    const path = join(folder, 'shared');
    await mkdir(path);
    await writeFile(join(path, '2026-06-15.other.1.00000000.jsonl'), '');
    const watch = { failed: () => undefined, overdue: () => undefined };
    await (await FileRevocationJournal.open({ directory: path, key: journalKey }, clock, watch)).close();
    expect(await readdir(path)).toEqual(['2026-06-15.other.1.00000000.jsonl']);
  });
});
