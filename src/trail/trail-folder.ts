import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BootError } from '../config/boot-error.js';
import { makeFolder } from '../persistence/make-folder.js';

/** Passing faults of a disk, during which TRAIL_FAULT decides. Any other is a wrong setting. */
const passing = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']);

/** @throws BootError where no file of the trail could ever be made in the folder */
export async function refuseUnusableFolder(directory: string): Promise<void> {
  const probe = join(directory, `${randomUUID()}.probe`);
  try {
    await makeFolder(directory);
    await writeFile(probe, '', { mode: 0o600 });
    await rm(probe);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (passing.has(code)) return;
    throw new BootError(
      `TRAIL_DIR names ${directory}, where no file can be made (${code}): make it a folder that this user may write.`,
      { cause: error },
    );
  }
}
