import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { FileBroken } from './csv-file.js';

/** The text of a file as it is read, its bytes hashed on the way. @throws FileBroken where the bytes are no such text */
export async function* textsOf(path: string, encoding: string, hash: Hash): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let lines = 1;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
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
