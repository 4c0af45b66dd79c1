import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AdapterUnderTest } from '../packages/adapter-kit/adapter-kit.js';
import type { SignOnUnderTest } from '../packages/adapter-kit/sign-on/sign-on-kit.js';
import { isCoreSettingFault } from '../packages/core-adapter/core-settings.js';
import { CommandFailed } from '../src/command-line/command.js';

const folders = ['cores', 'sign-ons'].map((name) => new URL(`../test/${name}/`, import.meta.url));
const moduleEnd = '.adapter.js';

/** The description of an adapter, of a core or of the bank's sign-on. */
export type AnyKit = AdapterUnderTest | SignOnUnderTest;

export function isSignOn(kit: AnyKit): kit is SignOnUnderTest {
  return 'signOn' in kit;
}

/**
 * The value of `CORE` for an adapter: its name in the registry; or the absolute path of its module, of which the folder of
 * a separate repository has one, `dist/<name of the package>.adapter.js`.
 */
export async function coreOf(adapter: string): Promise<string> {
  if (!isPath(adapter)) return adapter;
  const path = resolve(adapter);
  if (!existsSync(path)) throw new CommandFailed(`${path} does not exist`);
  if (!statSync(path).isDirectory()) return path;
  const { name = '' } = await manifestOf(path);
  const module = join(path, 'dist', `${name}${moduleEnd}`);
  if (existsSync(module)) return module;
  throw new CommandFailed(`there is no ${module}: run \`npm install && npm run build\` in ${path}`);
}

/**
 * The description of an adapter for the kit, which a module exports as `kit`: `test/cores/<name>/<name>.kit.ts` or
 * `test/sign-ons/<name>/<name>.kit.ts`, or next to the module `<name>.adapter.js` of a separate repository `<name>.kit.js`.
 */
export async function kitOf(adapter: string): Promise<AnyKit> {
  const file = isPath(adapter) ? kitNextTo(await coreOf(adapter)) : kitFile(adapter);
  if (file === undefined)
    throw new CommandFailed(
      `there is no test/cores/${adapter}/${adapter}.kit.ts: make an adapter with \`npm run adapter -- new ${adapter}\`, or with \`new-sign-on\``,
    );
  const { kit } = await loaded(file);
  if (kit === undefined) throw new CommandFailed(`${fileURLToPath(file)} exports no \`kit\``);
  return kit;
}

/** The manifest of a separate repository. */
export async function manifestOf(folder: string): Promise<{ name?: string; dependencies?: Record<string, string> }> {
  const file = join(folder, 'package.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as { name?: string };
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function isPath(adapter: string): boolean {
  return /[/\\]|^\.+$/.test(adapter);
}

/** As it runs: compiled, or as it is written where a loader reads that. */
function kitFile(name: string): URL | undefined {
  if (!/^[a-z0-9-]+$/.test(name)) return undefined;
  return folders
    .flatMap((folder) => ['js', 'ts'].map((extension) => new URL(`${name}/${name}.kit.${extension}`, folder)))
    .find((file) => existsSync(file));
}

function kitNextTo(module: string): URL {
  if (!module.endsWith(moduleEnd))
    throw new CommandFailed(`${module} is not a module of an adapter: its name has to end in ${moduleEnd}`);
  const file = `${module.slice(0, -moduleEnd.length)}.kit.js`;
  if (!existsSync(file)) throw new CommandFailed(`there is no ${file}: put the kit next to the adapter’s module`);
  return pathToFileURL(file);
}

async function loaded(file: URL): Promise<{ kit?: AnyKit }> {
  try {
    return (await import(file.href)) as { kit?: AnyKit };
  } catch (error) {
    // The fault is that of a setting, such as the bank's file, and not of the module.
    if (isCoreSettingFault(error)) throw new CommandFailed(error.message);
    const [first] = String(error).split('\n');
    throw new CommandFailed(`${fileURLToPath(file)} cannot be loaded: ${first}`);
  }
}
