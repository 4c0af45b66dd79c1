import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BootError } from '../../src/config/boot-error.js';
import { PrismaConsentStore } from '../../src/consents/prisma-consent.store.js';
import { openPgliteDatabase } from '../../src/persistence/pglite-database.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { freshPglite, pgliteTemplate } from '../support/fresh-database.js';

describe('The data directory of the embedded database', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  async function emptyFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-test-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  async function dataDirectory(): Promise<string> {
    const { config, drop } = await freshPglite();
    cleanUps.push(drop);
    return config.dataDir;
  }

  /** The path of one of this folder's or of the test support's files. */
  const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

  /** Starts a process that writes consents to `dataDir`; resolves with what it had answered when it was killed. */
  async function writeUntilKilled(dataDir: string, answers: number): Promise<readonly string[]> {
    const loader = new URL('../support/typescript-loader.mjs', import.meta.url).href;
    const child = spawn(process.execPath, ['--import', loader, file('./consent-writer.ts'), dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const answered: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      answered.push(line);
      if (answered.length === answers) child.kill('SIGKILL');
    }
    expect(await exited).toEqual([null, 'SIGKILL']);
    return answered;
  }

  it('keeps every consent that was answered when the process is killed, round after round', async () => {
    const dataDir = await dataDirectory();
    const answered: string[] = [];
    for (const answers of [1, 7, 40]) {
      answered.push(...(await writeUntilKilled(dataDir, answers)));
      const prisma = await PrismaService.open({ dataDir });
      const store = new PrismaConsentStore(prisma);
      const found = await Promise.all(answered.map((consentId) => store.find(consentId)));
      await prisma.onApplicationShutdown();
      expect(found.map((consent) => consent?.status)).toEqual(answered.map(() => 'Authorised'));
    }
  });

  it('is refused to a second gateway with one line that names the first, and given once that has closed it', async () => {
    const dataDir = await dataDirectory();
    const first = await openPgliteDatabase(dataDir);
    await expect(openPgliteDatabase(dataDir)).rejects.toThrow(
      new RegExp(
        `^The data directory is in use by process ${process.pid}: stop that process or set another DATA_DIR .*$`,
      ),
    );
    await first.ping();
    await first.close();
    await (await openPgliteDatabase(dataDir)).close();
    expect(await readdir(join(dataDir, 'pglite.owners'))).toEqual([]);
  });

  it('is made from the template where there is none', async () => {
    const dataDir = join(await emptyFolder(), 'not', 'there', 'yet');
    const database = await openPgliteDatabase(dataDir, dirname(await pgliteTemplate()));
    await database.ping();
    await database.close();
    expect(await readdir(dataDir)).toEqual(['pglite', 'pglite.owners']);
  });

  it('is made from nothing where there is no template either', async () => {
    const dataDir = await emptyFolder();
    const database = await openPgliteDatabase(dataDir, await emptyFolder());
    const store = new PrismaConsentStore(new PrismaService(database));
    expect(await store.find('unknown')).toBeUndefined();
    await database.close();
  });

  it('is made anew where a process was killed while it made it', async () => {
    const dataDir = await emptyFolder();
    const template = await pgliteTemplate();
    await cp(join(template, 'base'), join(dataDir, 'pglite.unfinished', 'base'), { recursive: true });
    const database = await openPgliteDatabase(dataDir, dirname(template));
    const store = new PrismaConsentStore(new PrismaService(database));
    expect(await store.find('unknown')).toBeUndefined();
    await database.close();
    expect(await readdir(dataDir)).toEqual(['pglite', 'pglite.owners']);
  });

  it('that cannot be written is refused with one line that says where', async () => {
    const dataDir = join(await emptyFolder(), 'file');
    await writeFile(dataDir, '');
    const opening = openPgliteDatabase(dataDir);
    await expect(opening).rejects.toBeInstanceOf(BootError);
    await expect(opening).rejects.toThrow(/^The embedded database under .* cannot be opened \(ENOTDIR.*$/);
  });

  it('that cannot be made is refused with one line that says where', async () => {
    for (const dataDir of ['/proc/nowhere/at/all', join(await emptyFolder(), 'x'.repeat(300))])
      await expect(openPgliteDatabase(dataDir)).rejects.toThrow(/^The embedded database under .* cannot be opened .*$/);
  });

  it('that holds no database of ours is refused, left as it is, and not kept locked', async () => {
    const dataDir = await emptyFolder();
    await mkdir(join(dataDir, 'pglite'));
    await writeFile(join(dataDir, 'pglite', 'PG_VERSION'), '12\n');
    for (let attempt = 0; attempt < 2; attempt++) {
      const opening = openPgliteDatabase(dataDir);
      await expect(opening).rejects.toBeInstanceOf(BootError);
      await expect(opening).rejects.toThrow(/^The embedded database under .* cannot be opened .*$/);
    }
    expect(await readdir(join(dataDir, 'pglite'))).toEqual(['PG_VERSION']);
  });
});
