import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AdapterKind, ownFile, refuseBadName } from './adapter-kind.js';
import { CommandFailed } from '../src/command-line/command.js';

/**
 * Writes the adapter's own folder and that of its kit from the template, and the adapter's line into the registry.
 *
 * @returns the paths written, relative to `root`.
 */
export async function newAdapter(root: string, name: string, kind: AdapterKind): Promise<string[]> {
  refuseBadName(name);
  const { template, folders, here } = kind;
  const [folder, kit] = [join(folders.adapters, name), join(folders.kits, name)];
  for (const taken of [folder, kit])
    if (existsSync(join(root, taken))) throw new CommandFailed(`${taken} exists already`);
  const registry = join(folders.adapters, 'registry.ts');
  // The template's files are in one folder, an adapter and its kit in two.
  const imports = {
    port: `../../../../${here.port}`,
    kit: `../../../${here.kit}`,
    adapter: `../../../${folders.adapters}/template/template.adapter.js`,
  };
  const files: [string, string][] = [];
  for (const file of (await readdir(join(root, template))).sort()) {
    const text = await readFile(join(root, template, file), 'utf8');
    const own = file.includes('.kit.') ? kit : folder;
    files.push([join(own, file.replace('template', name)), ownFile(text, name, kind, imports)]);
  }
  files.push([join(kit, `${name}.kit.spec.ts`), specOf(name, kind)]);
  files.push([registry, await withLine(join(root, registry), name)]);
  for (const made of [folder, kit]) await mkdir(join(root, made), { recursive: true });
  for (const [path, text] of files) await writeFile(join(root, path), text);
  return files.map(([path]) => path);
}

function specOf(name: string, { here, describe }: AdapterKind): string {
  return `import { ${describe.name} } from '../../../${here.kit}';
import { kit } from './${name}.kit.js';

${describe.isAsync ? 'await ' : ''}${describe.name}('${name}', kit);
`;
}

/** The registry with the adapter's line. */
async function withLine(registry: string, name: string): Promise<string> {
  const text = await readFile(registry, 'utf8');
  const key = name.includes('-') ? `'${name}'` : name;
  const line = `  ${key}: () => import('./${name}/${name}.adapter.js'),\n`;
  const end = text.lastIndexOf('};');
  if (end < 0)
    throw new CommandFailed(`${registry} does not end in the list of adapters: add this line yourself: ${line}`);
  return text.slice(0, end) + line + text.slice(end);
}
