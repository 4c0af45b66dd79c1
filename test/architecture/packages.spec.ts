import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { portVersion } from '../../packages/core-adapter/port-version.js';
import { packageRoot } from '../../src/persistence/package-root.js';

interface Locked {
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

interface Component {
  /** `pkg:npm/<name>@<version>` (package URL). */
  readonly purl: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

const idOf = ({ purl }: Component): string => decodeURIComponent(purl.replace('pkg:npm/', ''));
const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '');
const isForDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');
const packagesOf = (lock: string): Record<string, Locked> =>
  (JSON.parse(read(lock)) as { packages: Record<string, Locked> }).packages;
const lockedIn = (lock: string): [path: string, locked: Locked][] =>
  Object.entries(packagesOf(lock)).filter(([path]) => path !== '');

describe.each(['package-lock.json', 'tools/ci/package-lock.json'])('%s', (lock) => {
  const packages = packagesOf(lock);
  const locked = lockedIn(lock);

  it('has the integrity of every package', () => {
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  });

  it('has the binaries of every platform, so that npm ci works on each', () => {
    const missing = locked.flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {}).filter(
        (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('belongs to a folder in which npm runs no package’s install script', () => {
    expect(read(lock.replace('package-lock.json', '.npmrc')).split('\n')).toContain('ignore-scripts=true');
  });

  it('names no registry', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

describe('npm run sbom', () => {
  const locked = lockedIn('package-lock.json');

  it('lists every locked package, and marks those that the product does not contain', () => {
    const output = execFileSync('npm', ['run', '--silent', 'sbom'], {
      cwd: packageRoot(),
      encoding: 'utf8',
      // The list has about a megabyte, where Node would end the command.
      maxBuffer: 64 * 1024 * 1024,
    });
    const { bomFormat, components } = JSON.parse(output) as { bomFormat: string; components: readonly Component[] };
    expect(bomFormat).toBe('CycloneDX');
    const idsOf = (entries: typeof locked): Set<string> =>
      new Set(entries.map(([path, { name = nameOf(path), version }]) => `${name}@${version}`));
    expect(new Set(components.map(idOf))).toEqual(idsOf(locked));
    const marked = components.filter(isForDevelopment).map(idOf);
    // One version may be locked in several places, for the product in one and for development in another.
    const product = idsOf(locked.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true));
    expect(marked.filter((id) => product.has(id))).toEqual([]);
    const usedBeyondDevelopment = idsOf(locked.filter(([, { dev }]) => dev !== true));
    const development = [...idsOf(locked)].filter((id) => !usedBeyondDevelopment.has(id));
    expect(development.filter((id) => !marked.includes(id))).toEqual([]);
  });
});

describe('packages/package.json', () => {
  const [ports, gateway] = ['packages/package.json', 'package.json'].map(
    (path) => JSON.parse(read(path)) as Record<string, Record<string, string>>,
  );

  it('has the version of the core’s port', () => {
    expect(ports?.['version']).toBe(portVersion);
  });

  it('demands the Node and the packages that the gateway has', () => {
    const ours = { ...gateway?.['devDependencies'], ...gateway?.['dependencies'] };
    const named = { ...ports?.['devDependencies'], ...ports?.['dependencies'] };
    expect(named).toEqual(Object.fromEntries(Object.keys(named).map((name) => [name, ours[name]])));
    expect([ports?.['engines'], ports?.['license']]).toEqual([gateway?.['engines'], gateway?.['license']]);
  });
});

it('npm installs one version of Node on every platform, which the image has too', () => {
  const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> };
  const images = [...read('Dockerfile').matchAll(/^FROM node:(\S+?)-/gm)].map(([, version]) => version);
  expect(images.length).toBeGreaterThan(0);
  expect(new Set([...Object.values(optionalDependencies), ...images]).size).toBe(1);
});

describe('the licence', () => {
  it('is equal to the licence in package.json', () => {
    expect(JSON.parse(read('package.json'))).toMatchObject({ license: 'Apache-2.0' });
    expect(read('LICENSE')).toMatch(/^\s+Apache License\s+Version 2\.0, January 2004/);
  });
});
