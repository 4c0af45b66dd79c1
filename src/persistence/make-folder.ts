import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the folder and those above it, for their owner only; one that is there stays as it is. Level by level, because
 * Node's `recursive` never ends where the file system refuses with ENOENT what lies in a folder that is there, as
 * /proc does.
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
    // If it is no folder, whoever writes into it hears so.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
