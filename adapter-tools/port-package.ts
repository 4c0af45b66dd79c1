import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { portVersion } from '../packages/core-adapter/port-version.js';

/** The name of the port in a bank's own repository. Its entries: `kit`; `sign-on` for the bank's sign-on, and `sign-on/kit`. */
export const portPackage = 'account-information-core-adapter';

interface Manifest {
  readonly license: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/**
 * Packs the built port and the kit as an npm package that needs nothing else of the gateway.
 *
 * @param root of the project
 * @param folder takes the package; it must exist
 * @returns the name of its file
 */
export async function packPort(root: string, folder: string): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'port-'));
  try {
    await cp(join(root, 'dist/packages'), made, { recursive: true });
    await cp(join(root, 'LICENSE'), join(made, 'LICENSE'));
    await cp(join(root, 'packages/core-adapter/CHANGELOG.md'), join(made, 'CHANGELOG.md'));
    const gateway = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
    await writeFile(join(made, 'package.json'), JSON.stringify(manifestOf(gateway), undefined, 2));
    const pack = ['pack', made, '--json', '--pack-destination', folder];
    const { stdout } = await promisify(execFile)('npm', pack, { encoding: 'utf8' });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    return filename;
  } finally {
    await rm(made, { recursive: true });
  }
}

function manifestOf({ license, engines, dependencies, devDependencies }: Manifest) {
  const entry = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });
  return {
    name: portPackage,
    version: portVersion,
    description:
      'The ports by which a core-banking system and a bank’s sign-on are wired to the account-information gateway, and their kits',
    license,
    type: 'module',
    engines,
    exports: {
      '.': entry('core-adapter/published-port'),
      './kit': entry('adapter-kit/adapter-kit'),
      './sign-on': entry('customer-authentication/published-port'),
      './sign-on/kit': entry('adapter-kit/sign-on/sign-on-kit'),
    },
    files: ['**/*.js', '**/*.d.ts', 'CHANGELOG.md'],
    // The gateway itself generates no cases, so that it has the generator for development only.
    dependencies: { 'fast-check': devDependencies['fast-check'], undici: dependencies['undici'] },
  };
}
