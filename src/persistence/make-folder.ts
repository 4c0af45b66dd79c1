import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the folder and its parents, for their owner only. A folder that exists stays unchanged. It makes level after level,
 * because Node's `recursive` never ends where the file system answers ENOENT for a new folder in an existing one, as /proc
 * does.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await make(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make(path);
  }
}

async function make(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // If the path is not a folder, the write into it reports that.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
