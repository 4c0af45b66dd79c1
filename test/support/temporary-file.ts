import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes a file in a new folder. The end of the run removes it. @returns its path */
export async function temporaryFile(name: string, content: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'file-')), name);
  await writeFile(path, content);
  return path;
}
