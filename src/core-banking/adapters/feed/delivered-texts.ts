import type { Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { FileBroken } from './csv-file.js';
import { DeliveryRefused } from './delivery-loading.js';

/**
 * Opens a regular file of a delivery: a link could show another folder, and a pipe never ends.
 * @throws DeliveryRefused where it is something else, is missing or cannot be read
 */
export async function openDelivered(folder: string, name: string): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // O_NOFOLLOW refuses a link with ELOOP, and a socket cannot be opened.
    if (code === 'ELOOP' || code === 'ENXIO') throw noRegularFile(name);
    throw new DeliveryRefused('partial', `${name} is not in the folder of the delivery, or cannot be read`);
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw noRegularFile(name);
}

function noRegularFile(name: string): DeliveryRefused {
  return new DeliveryRefused('broken', `${name} is not a regular file: a delivery has no links, pipes or folders`);
}

/** The text of a file as it is read, its bytes hashed on the way. @throws FileBroken where the bytes are no such text */
export async function* textsOf(file: FileHandle, encoding: string, hash: Hash): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let lines = 1;
  try {
    for await (const chunk of file.createReadStream({ highWaterMark: 256 * 1024 })) {
      const bytes = chunk as Buffer;
      hash.update(bytes);
      const text = decoder.decode(bytes, { stream: true });
      yield text;
      lines += text.split('\n').length - 1;
    }
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new FileBroken(lines, `is not ${encoding} from here on`);
    throw error;
  }
}
