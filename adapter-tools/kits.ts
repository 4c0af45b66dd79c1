import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AdapterUnderTest } from '../packages/adapter-kit/adapter-kit.js';
import { ToolError } from './tool-error.js';

const cores = new URL('../test/cores/', import.meta.url);

/** Every adapter that has a kit, in the order of their names. */
export async function namesWithKit(): Promise<string[]> {
  const folders = await readdir(fileURLToPath(cores), { withFileTypes: true });
  return folders
    .filter((folder) => folder.isDirectory() && kitFile(folder.name) !== undefined)
    .map(({ name }) => name)
    .sort();
}

/** The description of an adapter for the kit: `test/cores/<name>/<name>.kit.ts`, which exports it as `kit`. */
export async function kitOf(name: string): Promise<AdapterUnderTest> {
  const file = /^[a-z0-9-]+$/.test(name) ? kitFile(name) : undefined;
  if (file === undefined)
    throw new ToolError(
      `there is no test/cores/${name}/${name}.kit.ts: make an adapter with \`npm run adapter -- new ${name}\``,
    );
  const { kit } = (await import(file.href)) as { kit?: AdapterUnderTest };
  if (kit === undefined) throw new ToolError(`test/cores/${name}/${name}.kit.ts exports no \`kit\``);
  return kit;
}

/** As it runs: compiled, or as it is written where a loader reads that. */
function kitFile(name: string): URL | undefined {
  return ['js', 'ts']
    .map((extension) => new URL(`${name}/${name}.kit.${extension}`, cores))
    .find((file) => existsSync(file));
}
