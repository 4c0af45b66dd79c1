import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The bytes of all files of the trail with that ending. */
export async function trailBytes(folder: string, ending: '.ndjson' | '.parquet'): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.filter((name) => name.endsWith(ending)).map(async (name) => (await stat(join(folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
