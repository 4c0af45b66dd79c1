import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';

const loader = join(packageRoot(), 'test/support/typescript-loader.mjs');

describe('a command line', () => {
  it.each(['src/commands/main.ts', 'src/adapter-tools/main.ts', 'sandbox/cli/main.ts'])(
    'ends without a word when nobody reads on: %s',
    async (main) => {
      const child = spawn(process.execPath, ['--import', loader, join(packageRoot(), main), '--help'], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child.stdout.destroy();
      let complaint = '';
      child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
      const [code] = await once(child, 'close');
      expect([code, complaint]).toEqual([0, '']);
    },
  );

  it.each([
    ['gateway', ['operators.mjs', 'tpps', 'list']],
    ['gateway', ['operators.mjs', 'keys', 'rotate']],
    ['sandbox', ['sandbox.mjs', 'personas']],
  ])('of the %s says in one line that nothing is built yet: %j', (name, [script = '', ...args]) => {
    const folder = mkdtempSync(join(tmpdir(), 'unbuilt-'));
    cpSync(join(packageRoot(), 'scripts'), join(folder, 'scripts'), { recursive: true });
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', script), ...args]);
    expect([status, stderr.toString()]).toEqual([
      1,
      expect.stringMatching(`^${name}: nothing is built yet. [^\n]*\n$`),
    ]);
    rmSync(folder, { recursive: true });
  });
});
