import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';

export interface Locked {
  /** Where it is installed under another name than its own. */
  readonly name?: string;
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  /** Needed for development, or by a package of the product that works without it. The image contains none of these. */
  readonly devOptional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');
export const packagesOf = (lock: string): Record<string, Locked> =>
  (JSON.parse(read(lock)) as { packages: Record<string, Locked> }).packages;
export const lockedIn = (lock: string): [path: string, locked: Locked][] =>
  Object.entries(packagesOf(lock)).filter(([path]) => path !== '');
