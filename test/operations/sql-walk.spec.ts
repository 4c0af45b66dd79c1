import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { postgresServer } from '../cores/sql/test-server.js';
import { freePort } from '../support/free-port.js';
import { buildGateway, patienceMs } from './gateway-process.js';

const page = readFileSync(join(packageRoot(), 'docs/walks/sql.md'), 'utf8');
const commands = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block ?? '');
const part = /^```yaml\n([^]*?)^```$/m.exec(page)?.[1] ?? '';

describe('docs/walks/sql.md', () => {
  let folder: string | undefined;
  beforeAll(() => buildGateway(), 5 * patienceMs);
  afterEach(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  it('shows lines of the example’s file', () => {
    const file = readFileSync(join(packageRoot(), 'test/cores/sql/bank.yaml'), 'utf8').split('\n');
    expect(
      part
        .trim()
        .split('\n')
        .filter((line) => !file.includes(line)),
    ).toEqual([]);
  });

  it(
    'has commands that do as it says, one after the other',
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'sql-walk-'));
      for (const name of ['dist', 'node_modules', 'package.json', 'scripts', 'prisma', 'test'])
        await symlink(join(packageRoot(), name), join(folder, name));
      let script = ['set -eu', ...commands].join('\n');
      const ports = new Map<string, number>();
      for (const port of ['3000', '3001', '3002']) ports.set(port, await freePort());
      for (const [port, free] of ports) script = script.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), String(free));
      const shell = spawn('bash', ['-c', script], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          HOME: process.env['HOME'],
          ...{ PORT: String(ports.get('3000')), BANK_PORT: String(ports.get('3001')) },
          DATABASE_URL: await postgresServer(),
        },
        // Its processes are stopped together with it.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [said, faults] = ['', ''];
      shell.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      shell.stderr.on('data', (chunk: Buffer) => (faults += chunk.toString()));
      try {
        const [code] = (await once(shell, 'exit')) as [number];
        expect([code, code === 0 ? '' : `${faults}\n${said}`]).toEqual([0, '']);
      } finally {
        try {
          process.kill(-(shell.pid ?? Number.NaN), 'SIGTERM');
        } catch {
          // They ended by themselves.
        }
      }
      expect(said).toContain('✓ CORE-63');
      expect(said).not.toContain('✗');
      expect(said).toMatch(/amt = "1234\.5600"|1234\.56/);
      expect(said).toContain('{"status":"ready"}Authorised\n1234.56\n');
    },
    20 * patienceMs,
  );
});
