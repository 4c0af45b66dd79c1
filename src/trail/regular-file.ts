import { randomUUID } from 'node:crypto';
import { constants, open, rename, writeFile, type FileHandle } from 'node:fs/promises';

/** A file in a trail's folder of which no gateway is the author, or that cannot be read as one. The message says why. */
export class RefusedFile extends Error {}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
/** A link, and a socket. */
const irregular = new Set(['ELOOP', 'EMLINK', 'ENXIO']);

/**
 * Opens a file that another hand may have put there: it neither follows a link nor waits for the other end of a FIFO.
 * @throws RefusedFile where it is not a regular file
 */
export async function openRegular(path: string, mode: 'read' | 'write' = 'read'): Promise<FileHandle> {
  const access = mode === 'read' ? O_RDONLY : O_RDWR;
  const handle = await open(path, access | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw irregular.has(error.code ?? '') ? new RefusedFile(notRegular) : error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new RefusedFile(notRegular);
}
export const notRegular = 'it is a link, a pipe or something else that is not a regular file';

/** @throws RefusedFile where it is not a regular file */
export async function readRegular(path: string): Promise<string> {
  const handle = await openRegular(path);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** A reader never sees half of the file. A link that waits at the path, or at a name next to it, is not followed. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const written = `${path}.${randomUUID()}.new`;
  await writeFile(written, text, { mode: 0o600, flag: 'wx', flush: true });
  await rename(written, path);
}
