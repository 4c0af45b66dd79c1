import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../src/persistence/make-folder.js';

/** Puts the content in the place of the file's, for its owner only. A reader always finds a whole file. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await makeFolder(dirname(file));
  await writeFile(draft, content, { mode: 0o600, flush: true });
  await rename(draft, file);
}
