import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';

const loader = join(packageRoot(), 'test/support/typescript-loader.mjs');

describe('a command line', () => {
  it.each(['ops/main.ts', 'adapter-tools/main.ts', 'sandbox/cli/main.ts'])(
    'ends without an error when the reader closes its output: %s',
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
    ['ops', ['ops', '--', 'migrate']],
    ['sandbox', ['sandbox', '--', 'personas']],
  ])('of the %s reports in one line that the build is missing: npm run %j', (name, words) => {
    const folder = mkdtempSync(join(tmpdir(), 'unbuilt-'));
    for (const path of ['package.json', 'scripts']) {
      cpSync(join(packageRoot(), path), join(folder, path), { recursive: true });
    }
    const { status, stderr } = spawnSync('npm', ['run', '--silent', ...words], { cwd: folder });
    expect([status, stderr.toString()]).toEqual([
      1,
      expect.stringMatching(`^${name}: nothing is built yet. [^\n]*\n$`),
    ]);
    rmSync(folder, { recursive: true });
  });
});
