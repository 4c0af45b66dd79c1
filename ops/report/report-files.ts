import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailed } from '../../src/command-line/command.js';

/**
 * Writes the files, in place of previous ones of the same names, of which a reader sees no half. Only the user may read them.
 * @returns their paths
 * @throws CommandFailed where the folder cannot be written
 */
export async function writeReports(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [name, content] of Object.entries(files)) {
      const written = join(folder, `${name}.${process.pid}.tmp`);
      await writeFile(written, content, { mode: 0o600 });
      await rename(written, join(folder, name));
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailed(`${folder} cannot be written (${code}): name another folder with --out`);
  }
  return Object.keys(files).map((name) => join(folder, name));
}
