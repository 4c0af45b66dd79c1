import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../src/persistence/make-folder.js';
import { FaultyStart, codeOf, unusable } from './faulty-start.js';

/** Replaces the file's content; only its owner may read it. A reader always finds a whole file. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await makeFolder(dirname(file));
    await writeFile(draft, content, { mode: 0o600, flush: true });
    await rename(draft, file);
  } catch (error) {
    throw unusable(file, error);
  }
}

/**
 * Writes a new folder of files, which appears under its name only when it is whole; only its owner may read them. Rejects
 * where the folder is there and is not empty.
 */
export async function writeFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const draft = `${folder}.${randomUUID()}`;
  await makeFolder(draft);
  try {
    for (const [name, content] of Object.entries(files))
      await writeFile(join(draft, name), content, { mode: 0o600, flush: true });
    // A rename replaces a folder only if that is empty.
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * The JSON of a file; `undefined` where the file is missing. Throws a {@link FaultyStart} where it cannot be read.
 * @param otherwise ends the fault's sentence about a file that is not JSON
 */
export async function readKeptJson<Content>(file: string, otherwise: string): Promise<Content | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Content;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error instanceof SyntaxError ? new FaultyStart(`${file} cannot be read ${otherwise}`) : unusable(file, error);
  }
}

/** A file whose content is replaced by one write after the other, so that the last one stays. */
export class KeptFile {
  private written = Promise.resolve();

  constructor(private readonly file: string) {}

  replace(content: string): Promise<void> {
    const saved = this.written.then(() => replaceFile(this.file, content));
    this.written = saved.catch(() => undefined);
    return saved;
  }
}
