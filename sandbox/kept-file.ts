import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../src/persistence/make-folder.js';

/** Replaces the file's content; only its owner may read it. A reader always finds a whole file. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await makeFolder(dirname(file));
  await writeFile(draft, content, { mode: 0o600, flush: true });
  await rename(draft, file);
}
