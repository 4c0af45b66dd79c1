import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Imports, ownFile, refuseBadName } from './adapter-name.js';
import { ToolError } from './tool-error.js';

const adaptersFolder = 'src/core-banking/adapters';
const coresFolder = 'test/cores';
/** The template's files lie in one folder, an adapter and its kit in two. */
const imports: Imports = {
  port: '../../../../packages/core-adapter/published-port.js',
  kit: '../../../packages/adapter-kit/adapter-kit.js',
  adapter: `../../../${adaptersFolder}/template/template.adapter.js`,
};

/**
 * Writes the adapter's own folder and that of its test core from the template, and the adapter's line into the registry.
 *
 * @returns the paths written, relative to `root`.
 */
export async function newAdapter(root: string, name: string): Promise<string[]> {
  refuseBadName(name);
  const folder = join(adaptersFolder, name);
  const core = join(coresFolder, name);
  for (const taken of [folder, core])
    if (existsSync(join(root, taken))) throw new ToolError(`${taken} is there already`);
  const registry = join(adaptersFolder, 'registry.ts');
  const registered = await withLine(join(root, registry), name);

  const template = join(root, 'adapter-tools/template');
  for (const made of [folder, core]) await mkdir(join(root, made), { recursive: true });
  const written: string[] = [];
  const write = async (path: string, text: string): Promise<void> => {
    await writeFile(join(root, path), text);
    written.push(path);
  };
  for (const file of (await readdir(template)).sort()) {
    const text = await readFile(join(template, file), 'utf8');
    const own = file.includes('.kit.') ? core : folder;
    await write(join(own, file.replace('template', name)), ownFile(text, name, imports));
  }
  await write(join(core, `${name}.kit.spec.ts`), specOf(name));
  await write(registry, registered);
  return written;
}

function specOf(name: string): string {
  return `import { describeCoreAdapter } from '../../../packages/adapter-kit/adapter-kit.js';
import { kit } from './${name}.kit.js';

await describeCoreAdapter('${name}', kit);
`;
}

/** The registry with the adapter's line. */
export async function withLine(registry: string, name: string): Promise<string> {
  const text = await readFile(registry, 'utf8');
  const key = name.includes('-') ? `'${name}'` : name;
  const line = `  ${key}: () => import('./${name}/${name}.adapter.js'),\n`;
  const end = text.lastIndexOf('};');
  if (end < 0) throw new ToolError(`${registry} does not end in the list of adapters: add this line yourself: ${line}`);
  return text.slice(0, end) + line + text.slice(end);
}
