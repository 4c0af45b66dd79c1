import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { portVersion } from '../packages/core-adapter/port-version.js';
import { manifestOf } from './kits.js';
import { packPort, portPackage } from './port-package.js';
import { ToolError } from './tool-error.js';

/**
 * Brings the port and the kit of this gateway into a separate repository. Nothing else in it changes; npm installs them.
 *
 * @param root of the project, which is built
 * @returns the package before and now
 */
export async function updateRepository(root: string, folder: string): Promise<{ before: string; now: string }> {
  const manifest = await manifestOf(folder);
  const given = manifest.dependencies?.[portPackage];
  if (given?.startsWith('file:') !== true)
    throw new ToolError(
      `${join(folder, 'package.json')} has no dependency ${portPackage} on a file: it is no repository of \`adapter new --into\``,
    );
  const before = given.slice('file:'.length);
  const versionBefore = /-(\d+\.\d+\.\d+)\.tgz$/.exec(before)?.[1] ?? '0.0.0';
  if (isNewer(versionBefore, portVersion))
    throw new ToolError(`${folder} has version ${versionBefore} of the port, and this gateway has ${portVersion}`);
  const now = await packPort(root, folder);
  const dependencies = { ...manifest.dependencies, [portPackage]: `file:${now}` };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, dependencies }, undefined, 2)}\n`);
  if (now === before) await lockTo(folder, now);
  else if (existsSync(join(folder, before))) await rm(join(folder, before));
  return { before, now };
}

/** npm installs a package whose file has kept its name again only where the lock has another integrity than before. */
async function lockTo(folder: string, file: string): Promise<void> {
  const path = join(folder, 'package-lock.json');
  if (!existsSync(path)) return;
  const lock = JSON.parse(await readFile(path, 'utf8')) as { packages?: Record<string, { integrity?: string }> };
  const locked = lock.packages?.[`node_modules/${portPackage}`];
  if (locked === undefined) return;
  const digest = createHash('sha512').update(await readFile(join(folder, file)));
  locked.integrity = `sha512-${digest.digest('base64')}`;
  await writeFile(path, `${JSON.stringify(lock, undefined, 2)}\n`);
}

function isNewer(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) > 0;
}
