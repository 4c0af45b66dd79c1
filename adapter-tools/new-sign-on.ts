import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Imports, ownFile, refuseBadName } from './adapter-name.js';
import { withLine } from './new-adapter.js';
import { signOnKind } from './own-repository.js';
import { ToolError } from './tool-error.js';

const adaptersFolder = 'src/customer-authentication/adapters';
/** The template's files lie in one folder, an adapter and its kit in two. */
const imports: Imports = {
  port: '../../../../packages/customer-authentication/published-port.js',
  kit: '../../../packages/adapter-kit/sign-on/sign-on-kit.js',
  adapter: `../../../${adaptersFolder}/template/template.adapter.js`,
};

/**
 * Writes the folder of an adapter of the bank's sign-on and that of its kit from the template, and its line into the registry.
 *
 * @returns the paths written, relative to `root`.
 */
export async function newSignOn(root: string, name: string): Promise<string[]> {
  refuseBadName(name);
  const [folder, kit] = [join(adaptersFolder, name), join('test/sign-ons', name)];
  for (const taken of [folder, kit])
    if (existsSync(join(root, taken))) throw new ToolError(`${taken} is there already`);
  const registry = join(adaptersFolder, 'registry.ts');
  const own = async (file: string): Promise<string> =>
    ownFile(await readFile(join(root, signOnKind.template, file), 'utf8'), name, imports);
  const files: [string, string][] = [
    [join(folder, `${name}.adapter.ts`), await own('template.adapter.ts')],
    [join(kit, `${name}.kit.ts`), await own('template.kit.ts')],
    [join(kit, `${name}.kit.spec.ts`), specOf(name)],
    [registry, await withLine(join(root, registry), name)],
  ];
  for (const made of [folder, kit]) await mkdir(join(root, made), { recursive: true });
  for (const [path, text] of files) await writeFile(join(root, path), text);
  return files.map(([path]) => path);
}

function specOf(name: string): string {
  return `import { describeCustomerAuthentication } from '../../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { kit } from './${name}.kit.js';

describeCustomerAuthentication('${name}', kit);
`;
}
