import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { refuseUnusableFolder } from './trail-folder.js';

describe('the folder of the trail', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'trail-folder-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('is made for its owner alone, and holds nothing afterwards', async () => {
    const made = join(folder, 'new', 'trail');
    await refuseUnusableFolder(made);
    expect([(await stat(made)).mode & 0o777, await readdir(made)]).toEqual([0o700, []]);
  });

  it.each([
    ['is a file', 'file', 'EEXIST|ENOTDIR'],
    ['is below a file', join('file', 'trail'), 'ENOTDIR'],
  ])('is refused by the name of its setting where it %s', async (_, name, code) => {
    await writeFile(join(folder, 'file'), '');
    await expect(refuseUnusableFolder(join(folder, name))).rejects.toThrow(
      new RegExp(`^TRAIL_DIR names ${join(folder, name)}, where no file can be made \\((${code})\\): make it a folder`),
    );
  });
});
