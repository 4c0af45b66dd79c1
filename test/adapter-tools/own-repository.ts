import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { portPackage } from '../../adapter-tools/adapter-kind.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { runNode } from './temporary-tree.js';

/** Makes an adapter's own repository with the built tool, and installs its packages. @returns the words of the tool */
export async function ownRepository(name: string, folder: string, command = 'new'): Promise<string> {
  const { said } = await runNode(packageRoot(), ['dist/adapter-tools/main.js', command, name, '--into', folder]);
  await install(folder);
  return said;
}

/** Gives the repository the gateway's ledger adapter, as a bank may take one of ours for its own, in a folder of `src`. */
export async function addLedger(repository: string, folder: string): Promise<void> {
  await mkdir(join(repository, 'src', folder));
  const ledger = join(packageRoot(), 'src/core-banking/adapters/ledger');
  for (const file of (await readdir(ledger)).filter((name) => !name.endsWith('.spec.ts'))) {
    const text = await readFile(join(ledger, file), 'utf8');
    const own = text.replaceAll(/'(?:[.][.]\/)+packages\/core-adapter\/[^']+'/g, `'${portPackage}'`);
    const stated = file === 'ledger.adapter.ts' ? `export { portVersion } from '${portPackage}';\n` : '';
    await writeFile(join(repository, 'src', folder, file), stated + own);
  }
}

/** Puts the gateway's adapter of the sandbox's sign-on, and its kit, in the place of the template's. */
export async function writeHttpSignOn(repository: string, name: string): Promise<void> {
  const adapter = join(packageRoot(), 'src/customer-authentication/adapters/http');
  const own = (text: string): string =>
    text
      .replaceAll(/'(?:[.][.]\/)+packages\/customer-authentication\/[^']+'/g, `'${portPackage}/sign-on'`)
      .replaceAll('./http.', `./${name}.`);
  for (const file of ['adapter', 'client']) {
    const stated = file === 'adapter' ? `export { portVersion } from '${portPackage}/sign-on';\n` : '';
    const text = await readFile(join(adapter, `http.${file}.ts`), 'utf8');
    await writeFile(join(repository, 'src', `${name}.${file}.ts`), stated + own(text));
  }
  const kit = await readFile(join(packageRoot(), 'test/sign-ons/http/http.kit.ts'), 'utf8');
  const testSignOn = join(packageRoot(), 'dist/test/sign-ons/http/sandbox-sign-on.js');
  await writeFile(
    join(repository, 'src', `${name}.kit.ts`),
    kit
      .replace(/'(?:[.][.]\/)+packages\/adapter-kit\/sign-on\/[^']+'/, `'${portPackage}/sign-on/kit'`)
      .replace(/'[^']*http[.]adapter[.]js'/, `'./${name}.adapter.js'`)
      .replace("'./sandbox-sign-on.js'", `'${testSignOn}'`),
  );
}

/** As npm installs its packages, from those that are here: no test needs a registry. */
async function install(repository: string): Promise<void> {
  const port = join(repository, 'node_modules', portPackage);
  await mkdir(port, { recursive: true });
  const [packed = ''] = (await readdir(repository)).filter((file) => file.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', join(repository, packed), '-C', port, '--strip-components=1']);
  // Copies lie beneath the port, so that it can load nothing of the project that it does not state.
  for (const name of await dependenciesOf(port))
    await cp(join(packageRoot(), 'node_modules', name), join(port, 'node_modules', name), { recursive: true });
  for (const name of ['@types/node', 'undici-types']) {
    const place = join(repository, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(packageRoot(), 'node_modules', name), place);
  }
}

/** The packages that the one in the folder needs, and those that they need. */
async function dependenciesOf(folder: string): Promise<string[]> {
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  const names = Object.keys(dependencies);
  const further = names.map((name) => dependenciesOf(join(packageRoot(), 'node_modules', name)));
  return [...names, ...(await Promise.all(further)).flat()];
}
