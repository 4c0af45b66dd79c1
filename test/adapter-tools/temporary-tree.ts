import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { Program } from '../support/program.js';

/** A copy of the project that a tool may write into. */
export async function temporaryTree(): Promise<{ root: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'adapter-tools-'));
  const original = packageRoot();
  for (const path of [
    'package.json',
    'tsconfig.json',
    'src',
    'packages',
    'adapter-tools',
    'sandbox',
    'test/cores',
    'test/sign-ons',
    'test/support/typescript-loader.mjs',
  ])
    await cp(join(original, path), join(root, path), { recursive: true });
  await symlink(join(original, 'node_modules'), join(root, 'node_modules'));
  return { root, remove: () => rm(root, { recursive: true }) };
}

/** Runs `node <args>` in the folder; resolves with all that it said and how it ended. */
export async function runNode(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const program = new Program([process.execPath, ...args], { PATH: process.env.PATH, ...env }, { cwd }).read();
  const [code] = (await once(program.child, 'close')) as [number | null];
  return { code, said: program.output + program.faults };
}

/** The compiler of `npm run check:types`, over a configuration of a folder with the project's packages. */
export const compilerOf = (configuration: string): string[] => [
  'node_modules/typescript-7/bin/tsc',
  '--checkers',
  '1',
  '--project',
  configuration,
];

/** The tool as it is written in the tree, without building it. */
export const toolOf = (...command: string[]): string[] => [
  '--import',
  './test/support/typescript-loader.mjs',
  'adapter-tools/main.ts',
  ...command,
];
