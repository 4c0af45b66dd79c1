// package-lock.json, as the scripts that read it see it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

export const LOCK_FILE = join(ROOT, 'package-lock.json');

export const readLock = () => JSON.parse(readFileSync(LOCK_FILE, 'utf8'));

/** The key in `packages` under which Node finds `name` from inside the package at `from`; undefined when nowhere. */
export function resolveIn(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const candidate = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (candidate in packages) return candidate;
    if (at === '') return undefined;
  }
}
