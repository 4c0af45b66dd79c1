import { describe, expect, it } from '@jest/globals';
import { portVersion } from '../../packages/core-adapter/port-version.js';
import { lockedIn, packagesOf, read } from './locked-packages.js';

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
