import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AdapterKind, ownFile, portPackage, refuseBadName } from './adapter-kind.js';
import { CommandFailed } from '../src/command-line/command.js';

/**
 * Writes a repository for an adapter that is outside the gateway's own: the template and the packed port.
 *
 * @param root of the project, which is built
 * @param folder is created; it must not exist yet, and a failure leaves no part of it behind
 * @returns the paths written, relative to the folder
 */
export async function newRepository(root: string, name: string, folder: string, kind: AdapterKind): Promise<string[]> {
  refuseBadName(name);
  if (existsSync(folder)) throw new CommandFailed(`${folder} exists already`);
  await mkdir(join(folder, 'src'), { recursive: true });
  try {
    return await write(root, name, folder, kind);
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
}

async function write(root: string, name: string, folder: string, kind: AdapterKind): Promise<string[]> {
  const pack = ['pack', join(root, 'dist/packages'), '--json', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', pack);
  const [{ filename: port }] = JSON.parse(stdout) as [{ filename: string }];
  const template = join(root, kind.template);
  const sources = (await readdir(template)).map(async (file): Promise<[string, string]> => {
    const text = await readFile(join(template, file), 'utf8');
    return [
      `src/${file.replace('template', name)}`,
      ownFile(text, name, kind, { ...kind.published, adapter: './template.adapter.js' }),
    ];
  });
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  const files: [string, string][] = [
    ...(await Promise.all(sources)),
    ['src/check.ts', checkOf(name, kind)],
    ['package.json', json(manifestOf(name, port, devDependencies))],
    ['tsconfig.json', json({ compilerOptions })],
    ['.gitignore', 'dist/\nnode_modules/\n'],
    // On an older Node than the package admits npm then refuses, where it would only warn.
    ['.npmrc', 'engine-strict=true\n'],
  ];
  for (const [path, text] of files) await writeFile(join(folder, path), text);
  return [port, ...files.map(([path]) => path)].sort();
}

function checkOf(name: string, { published, check }: AdapterKind): string {
  return `import { ${check} } from '${published.kit}';
import { kit } from './${name}.kit.js';

if ((await ${check}(kit)) > 0) process.exitCode = 1;
`;
}

function manifestOf(name: string, port: string, versions: Readonly<Record<string, string>>) {
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: { build: 'tsc', check: 'tsc && node dist/check.js' },
    dependencies: { [portPackage]: `file:${port}` },
    devDependencies: { '@types/node': versions['@types/node'], typescript: versions['typescript'] },
  };
}

const compilerOptions = {
  target: 'ES2023',
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  rootDir: 'src',
  outDir: 'dist',
  sourceMap: true,
};

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
