import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from './stack.js';

/** Every line of the journal's files, in the order of their names. */
export async function journalLines(folder: string): Promise<readonly Json[]> {
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').slice(0, -1)).map((line) => JSON.parse(line));
}
