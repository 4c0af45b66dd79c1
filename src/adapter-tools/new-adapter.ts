import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from './tool-error.js';

const adaptersFolder = 'src/core-banking/adapters';

/**
 * Writes `adapters/<name>/` from the template, and its line into the registry.
 *
 * @returns the paths written, relative to `root`.
 */
export async function newAdapter(root: string, name: string): Promise<string[]> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new ToolError(`"${name}" is no name for an adapter: lower-case letters, digits and dashes, e.g. my-core`);
  const folder = join(adaptersFolder, name);
  if (existsSync(join(root, folder))) throw new ToolError(`${folder} is there already`);
  const registry = join(adaptersFolder, 'registry.ts');
  const registered = await withLine(join(root, registry), name);

  const template = join(root, 'src/adapter-tools/template');
  await mkdir(join(root, folder), { recursive: true });
  const written: string[] = [];
  const write = async (path: string, text: string): Promise<void> => {
    await writeFile(join(root, path), text);
    written.push(path);
  };
  for (const file of (await readdir(template)).sort()) {
    const text = await readFile(join(template, file), 'utf8');
    await write(join(folder, file.replace('template', name)), named(text, name));
  }
  await write(join(folder, `${name}.kit.spec.ts`), specOf(name));
  await write(registry, registered);
  return written;
}

function classNameOf(name: string): string {
  return name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The template lives two folders below `src/`, an adapter three. */
function named(text: string, name: string): string {
  return text
    .replaceAll("'../../core-banking/", "'../../")
    .replaceAll("'../../adapter-kit/", "'../../../adapter-kit/")
    .replaceAll('Template', classNameOf(name))
    .replaceAll('template', name);
}

function specOf(name: string): string {
  return `import { describeCoreAdapter } from '../../../adapter-kit/adapter-kit.js';
import { kit } from './${name}.kit.js';

describeCoreAdapter('${name}', kit);
`;
}

async function withLine(registry: string, name: string): Promise<string> {
  const text = await readFile(registry, 'utf8');
  const key = name.includes('-') ? `'${name}'` : name;
  const className = `${classNameOf(name)}Adapter`;
  const line = `  ${key}: async (settings) => new (await import('./${name}/${name}.adapter.js')).${className}(settings),\n`;
  const end = text.lastIndexOf('};');
  if (end < 0) throw new ToolError(`${registry} does not end in the list of adapters: add this line yourself: ${line}`);
  return text.slice(0, end) + line + text.slice(end);
}
