import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BootError } from '../../src/config/boot-error.js';
import { DirectoryLock } from '../../src/persistence/directory-lock.js';

describe('The lock of a directory', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('is given to one of many simultaneous callers', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 12 }, () => DirectoryLock.acquire(folder)));
    const held = asked.filter((result) => result.status === 'fulfilled');
    expect(held).toHaveLength(1);
    expect(await readdir(folder)).toHaveLength(1);
    for (const result of asked) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(BootError);
    await held[0]!.value.release();
    await (await DirectoryLock.acquire(folder)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not held by dead processes, even where another process has their id now', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    await writeFile(join(folder, `${child.pid}.earlier.00000000`), '');
    await writeFile(join(folder, `${process.pid}.earlier.00000000`), '');
    const lock = await DirectoryLock.acquire(folder);
    expect(await readdir(folder)).toHaveLength(1);
    await lock.release();
  });
});
