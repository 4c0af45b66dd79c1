import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minVersion, satisfies } from 'semver';
import { packageRoot } from '../../src/persistence/package-root.js';
import { faultOfNode } from '../../src/boot/supported-node.js';

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');
const { engines, optionalDependencies } = JSON.parse(read('package.json')) as {
  engines: { node: string };
  optionalDependencies: Record<string, string>;
};
/** The image's Node, which npm's scripts run too. */
const [installed = ''] = new Set(Object.values(optionalDependencies));
/** The oldest Node on which npm may run. */
const oldestOfNpm = minVersion(engines.node)?.version ?? '';

describe('the Node that npm installs', () => {
  it('is one version on every platform, and the image has it', () => {
    expect([...new Set(Object.values(optionalDependencies))]).toEqual([installed]);
    const images = [...read('Dockerfile').matchAll(/^FROM node:(\S+?)-/gm)].map(([, version]) => version);
    expect(images).toEqual([installed, installed]);
  });

  it('is the oldest release on which the gateway starts', () => {
    const [major] = installed.split('.');
    expect(faultOfNode(nodeOf(`v${major}.0.0`, 'Krypton'))).toBeUndefined();
    expect(faultOfNode(nodeOf(`v${Number(major) - 1}.99.9`, 'Jod'))).toMatch(
      new RegExp(`^it needs Node ${major} or a later`),
    );
  });

  it('is a long-term release, as oidc-provider demands', () => {
    expect(faultOfNode(nodeOf('v26.0.0', undefined))).toMatch(/long-term release, and this is Node 26\.0\.0/);
    expect(faultOfNode(nodeOf('v26.11.0', 'M'))).toBeUndefined();
  });
});

it('the compiler admits only built-ins of the oldest Node on which npm may run, because banks check adapters on it', () => {
  const { compilerOptions } = JSON.parse(read('tsconfig.json')) as { compilerOptions: { lib: string[] } };
  expect(compilerOptions.lib).toEqual(['ES2023']);
  expect(oldestOfNpm).toMatch(/^20[.]/);
});

describe.each(['package-lock.json', 'tools/ci/package-lock.json'])('every package of %s', (lock) => {
  const { packages } = JSON.parse(read(lock)) as {
    packages: Record<string, { readonly engines?: { readonly node?: string } }>;
  };
  const needs = Object.entries(packages).map(([path, { engines: own }]) => [path, own?.node ?? '*'] as const);

  it.each([
    ['supports the oldest Node on which npm may run, without a warning of npm ci', oldestOfNpm],
    ['the Node of the image', installed],
  ])('admits %s', (_what, version) => {
    expect(needs.length).toBeGreaterThan(100);
    expect(needs.filter(([, range]) => !satisfies(version, range))).toEqual([]);
  });
});

describe('an older Node ends with one sentence', () => {
  /** A program that takes this Node for an older one. */
  function runAsOlder(...words: string[]) {
    const older = 'Object.defineProperty(process,"version",{value:"v18.20.8"})';
    const argv = ['--import', `data:text/javascript,${older}`, ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: packageRoot(), encoding: 'utf8' });
    return { status, said: stdout + stderr };
  }

  it.each(['start.mjs', 'build.mjs', 'built.mjs'])('scripts/%s', (script) => {
    expect(runAsOlder(`scripts/${script}`)).toEqual({
      status: 1,
      said: expect.stringMatching(/^npm: the project needs Node 24 .*, and this is Node 18\.20\.8: run `npm ci`.*\n$/),
    });
  });

  it('the gateway', () => {
    expect(runAsOlder('--import', './test/support/typescript-loader.mjs', 'src/main.ts')).toEqual({
      status: 1,
      said: expect.stringMatching(/^gateway: it needs Node 24 .*, and this is Node 18\.20\.8: .*start:gateway.*\n$/),
    });
  });
});

function nodeOf(version: string, lts: string | undefined): Parameters<typeof faultOfNode>[0] {
  return { version, release: { ...process.release, lts } };
}
