import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { runNode } from '../adapter-tools/temporary-tree.js';

/** A bank's own repository: the package by its name, a core and an adapter that knows next to nothing. */
const adapter = `
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CoreError, type CoreAdapter, type CoreContext } from 'account-information-gateway/core-banking';
import type { AdapterUnderTest } from 'account-information-gateway/adapter-kit';

class NobodyAdapter implements CoreAdapter {
  readonly name = 'nobody';
  readonly pending = 'none';
  readonly missing = {};
  async accounts(_: CoreContext) { return { items: [], bad: [] }; }
  async account(): Promise<never> { throw new CoreError('account-not-found', 'nobody banks here'); }
  async health(): Promise<void> {}
  async close(): Promise<void> {}
}

export const kit: AdapterUnderTest = {
  core: async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const close = async (): Promise<void> => { server.close(); await once(server, 'close'); };
    return { url: 'http://127.0.0.1:' + (server.address() as AddressInfo).port, close };
  },
  create: () => new NobodyAdapter(),
  personas: () => [],
  truth: () => { throw new Error('nobody'); },
  without: { 'CORE-01': 'it has no settings of its own' },
};
`;
const spec = `
import { describeCoreAdapter } from 'account-information-gateway/adapter-kit';
import { kit } from '../out/adapter.js';
describeCoreAdapter('nobody', kit);
`;

/** As npm does with a package: what it depends on at run time lies beneath it, and nothing else of this repository does. */
async function installDependencies(original: string, gateway: string): Promise<void> {
  const { dependencies } = JSON.parse(await readFile(join(original, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    const place = join(gateway, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(original, 'node_modules', name), place);
  }
}

describe('in a bank’s own repository', () => {
  const original = packageRoot();
  const tsc = join(original, 'node_modules/typescript/bin/tsc');
  let outside: string;

  beforeAll(async () => {
    outside = await mkdtemp(join(tmpdir(), 'outside-'));
    const gateway = join(outside, 'node_modules/account-information-gateway');
    await mkdir(join(outside, 'test'), { recursive: true });
    await mkdir(gateway, { recursive: true });
    await mkdir(join(outside, 'node_modules/@types'));
    await symlink(join(original, 'node_modules/@types/node'), join(outside, 'node_modules/@types/node'));
    await symlink(join(original, 'node_modules/undici-types'), join(outside, 'node_modules/undici-types'));
    await installDependencies(original, gateway);
    // As the build makes it, but for what the two exports do not need.
    await cp(join(original, 'package.json'), join(gateway, 'package.json'));
    const built = {
      extends: join(original, 'tsconfig.build.json'),
      // Its types are the project's own affair, and are checked there.
      compilerOptions: {
        ...{ incremental: false, tsBuildInfoFile: null, noCheck: true },
        ...{ rootDir: original, outDir: join(gateway, 'dist') },
      },
      files: ['packages/core-adapter/published-port.ts', 'packages/adapter-kit/adapter-kit.ts'].map((file) =>
        join(original, file),
      ),
      include: [],
    };
    await writeFile(join(outside, 'tsconfig.gateway.json'), JSON.stringify(built));
    const own = {
      compilerOptions: {
        target: 'ES2023',
        module: 'NodeNext',
        strict: true,
        skipLibCheck: true,
        types: ['node'],
        outDir: 'out',
        rootDir: '.',
      },
      files: ['adapter.ts'],
    };
    await writeFile(join(outside, 'tsconfig.json'), JSON.stringify(own));
    await writeFile(join(outside, 'package.json'), JSON.stringify({ type: 'module', jest: { transform: {} } }));
    await writeFile(join(outside, 'adapter.ts'), adapter);
    await writeFile(join(outside, 'test/adapter.test.js'), spec);
  });
  afterAll(() => rm(outside, { recursive: true }));

  it('an adapter is compiled against the port and judged by the kit, by their names in the package', async () => {
    const typesOf = ['--typeRoots', join(original, 'node_modules/@types')];
    expect(await runNode(original, [tsc, '-p', join(outside, 'tsconfig.gateway.json'), ...typesOf])).toEqual({
      code: 0,
      said: '',
    });
    expect(await runNode(outside, [tsc, '-p', 'tsconfig.json'])).toEqual({ code: 0, said: '' });
    const jest = join(original, 'node_modules/jest/bin/jest.js');
    const { code, said } = await runNode(outside, [
      '--experimental-vm-modules',
      jest,
      '--rootDir',
      outside,
      '--verbose',
    ]);
    expect(code).toBe(1);
    expect(said).toMatch(/✓ CORE-07 a customer whom the core does not know has no accounts/);
    expect(said).toMatch(/✕ CORE-54 health tells a core that is up from one that is down/);
    expect(said).toMatch(/skipped CORE-01 .*: it has no settings of its own/);
    expect(said).toContain('health, nobody listening: answered where it had to throw CoreError');
    expect(said).toMatch(/55 total/);
  });
});
