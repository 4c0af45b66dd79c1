import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BootError } from '../../src/config/boot-error.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import { privateModes, readableModes, type Modes } from '../../src/persistence/folder-modes.js';
import { readMigrations } from '../../src/persistence/migrations.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { openPgliteDatabase } from '../../src/persistence/pglite-database.js';
import { buildTemplate, templatePath } from '../../src/persistence/pglite-template.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { freshPglite, pgliteTemplate } from '../support/fresh-database.js';

// Only root can give a file to another user, or become one.
const asRoot = process.geteuid?.() === 0 ? it : it.skip;

/** Three processes start, and this one opens the database after each of them. */
const roundsWithinMs = 300_000;

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

  /** Starts a process that writes consents to `dataDir`. Resolves with the ids that it had printed when it was killed. */
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

  it(
    'keeps every consent that was answered when the process is killed, round after round',
    async () => {
      const dataDir = await dataDirectory();
      const answered: string[] = [];
      for (const answers of [1, 7, 40]) {
        answered.push(...(await writeUntilKilled(dataDir, answers)));
        const prisma = await PrismaService.open({ dataDir });
        const store = new ConsentStore(prisma);
        const found = await Promise.all(answered.map((consentId) => store.find(consentId)));
        await prisma.onApplicationShutdown();
        expect(found.map((consent) => consent?.status)).toEqual(answered.map(() => 'authorised'));
      }
    },
    roundsWithinMs,
  );

  it('is refused to a second gateway with one line that names the first gateway, and opens after the first has closed it', async () => {
    const dataDir = await dataDirectory();
    const first = await openPgliteDatabase({ dataDir });
    await expect(openPgliteDatabase({ dataDir })).rejects.toThrow(
      new RegExp(
        `^The data directory is in use by process ${process.pid}: stop that process or set another DATA_DIR .*$`,
      ),
    );
    await first.ping();
    await first.close();
    await (await openPgliteDatabase({ dataDir })).close();
    expect(await readdir(join(dataDir, 'pglite.owners'))).toEqual([]);
  });

  it('is made from the template where it does not exist', async () => {
    const dataDir = join(await emptyFolder(), 'not', 'there', 'yet');
    const database = await openPgliteDatabase({ dataDir }, dirname(await pgliteTemplate()));
    await database.ping();
    await database.close();
    expect(await readdir(dataDir)).toEqual(['pglite', 'pglite.owners']);
  });

  it('is made again where a process was killed while it made it', async () => {
    const dataDir = await emptyFolder();
    const template = await pgliteTemplate();
    await cp(join(template, 'base'), join(dataDir, 'pglite.unfinished', 'base'), { recursive: true });
    const database = await openPgliteDatabase({ dataDir }, dirname(template));
    const store = new ConsentStore(new PrismaService(database));
    expect(await store.find('unknown')).toBeUndefined();
    await database.close();
    expect(await readdir(dataDir)).toEqual(['pglite', 'pglite.owners']);
  });

  it('that cannot be written is refused with one line that names its path', async () => {
    const dataDir = join(await emptyFolder(), 'file');
    await writeFile(dataDir, '');
    const opening = openPgliteDatabase({ dataDir });
    await expect(opening).rejects.toBeInstanceOf(BootError);
    await expect(opening).rejects.toThrow(/^The embedded database under .* cannot be opened \(ENOTDIR.*$/);
  });

  it('that cannot be made is refused with one line that names its path', async () => {
    for (const dataDir of ['/proc/nowhere/at/all', join(await emptyFolder(), 'x'.repeat(300))])
      await expect(openPgliteDatabase({ dataDir })).rejects.toThrow(
        /^The embedded database under .* cannot be opened .*$/,
      );
  });

  it('that holds no database of the gateway is refused, stays unchanged, and is not locked', async () => {
    const dataDir = await emptyFolder();
    await mkdir(join(dataDir, 'pglite'));
    await writeFile(join(dataDir, 'pglite', 'PG_VERSION'), '12\n');
    for (let attempt = 0; attempt < 2; attempt++) {
      const opening = openPgliteDatabase({ dataDir });
      await expect(opening).rejects.toBeInstanceOf(BootError);
      await expect(opening).rejects.toThrow(/^The embedded database under .* cannot be opened .*$/);
    }
    expect(await readdir(join(dataDir, 'pglite'))).toEqual(['PG_VERSION']);
  });

  /** The folders and files whose mode is not that of their kind. */
  async function strays(folder: string, modes: Modes): Promise<string[]> {
    const found: string[] = [];
    for (const name of ['', ...(await readdir(folder, { recursive: true }))]) {
      const path = join(folder, name);
      const stats = await stat(path);
      const mode = stats.mode & 0o777;
      if (mode !== (stats.isDirectory() ? modes.folder : modes.file)) found.push(`${path} ${mode.toString(8)}`);
    }
    return found;
  }

  it.each(['the template', 'nothing, where the template does not exist,'])(
    'that is made from %s in an existing folder works, and is private from the beginning',
    async (source) => {
      const dataDir = await emptyFolder();
      await chmod(dataDir, 0o755);
      const templates = source === 'the template' ? dirname(await pgliteTemplate()) : await emptyFolder();
      const database = await openPgliteDatabase({ dataDir }, templates);
      expect(await strays(join(dataDir, 'pglite.owners'), privateModes)).toEqual([]);
      expect(await new ConsentStore(new PrismaService(database)).find('unknown')).toBeUndefined();
      await database.close();
      // Meanwhile PGlite has written two caches again. They are readable, but they lie in folders that are not.
      const found = await strays(join(dataDir, 'pglite'), privateModes);
      expect(found.filter((stray) => !/pg_internal\.init 644$/.test(stray))).toEqual([]);
      expect((await stat(dataDir)).mode & 0o777).toBe(0o755);
    },
  );

  it('that every user could change is private after the next start', async () => {
    const dataDir = await dataDirectory();
    const folders = [join(dataDir, 'pglite'), join(dataDir, 'pglite.owners')];
    await mkdir(folders[1]!);
    for (const folder of folders)
      for (const name of ['', ...(await readdir(folder, { recursive: true }))]) {
        const path = join(folder, name);
        await chmod(path, (await stat(path)).isDirectory() ? 0o777 : 0o666);
      }
    const database = await openPgliteDatabase({ dataDir });
    const found = (await Promise.all(folders.map((folder) => strays(folder, privateModes)))).flat();
    expect(found.filter((stray) => !/pg_internal\.init 644$/.test(stray))).toEqual([]);
    await database.close();
  });

  it('gets private files for all data that is stored while it is open', async () => {
    const dataDir = await dataDirectory();
    const database = await openPgliteDatabase({ dataDir });
    const before = await readdir(join(dataDir, 'pglite'), { recursive: true });
    const prisma = new PrismaService(database);
    await prisma.$executeRawUnsafe('CREATE TABLE later AS SELECT generate_series(1, 10000) AS number');
    await prisma.$executeRawUnsafe('CHECKPOINT');
    const made = (await readdir(join(dataDir, 'pglite'), { recursive: true })).filter((name) => !before.includes(name));
    expect(made.length).toBeGreaterThan(0);
    for (const name of made) expect((await stat(join(dataDir, 'pglite', name))).mode & 0o077).toBe(0);
    await prisma.onApplicationShutdown();
  });

  it('does not change the targets of symbolic links in it', async () => {
    const dataDir = await dataDirectory();
    const elsewhere = await emptyFolder();
    await writeFile(join(elsewhere, 'file'), '', { mode: 0o644 });
    await chmod(elsewhere, 0o755);
    await symlink(elsewhere, join(dataDir, 'pglite', 'folder'));
    await symlink(join(elsewhere, 'file'), join(dataDir, 'pglite', 'file'));
    await (await openPgliteDatabase({ dataDir })).close();
    expect([(await stat(elsewhere)).mode & 0o777, (await stat(join(elsewhere, 'file'))).mode & 0o777]).toEqual([
      0o755, 0o644,
    ]);
  });

  it('is refused with one line where it is itself a symbolic link', async () => {
    const elsewhere = await dataDirectory();
    const dataDir = await emptyFolder();
    await chmod(join(elsewhere, 'pglite'), 0o755);
    await symlink(join(elsewhere, 'pglite'), join(dataDir, 'pglite'));
    await expect(openPgliteDatabase({ dataDir })).rejects.toThrow(/^.*pglite is not a folder: .*$/);
    expect((await stat(join(elsewhere, 'pglite'))).mode & 0o777).toBe(0o755);
  });

  asRoot.each(['pglite', 'pglite/PG_VERSION', 'pglite.owners'])(
    'is refused with one line where %s belongs to another user',
    async (name) => {
      const dataDir = await dataDirectory();
      await mkdir(join(dataDir, 'pglite.owners'), { recursive: true });
      await chown(join(dataDir, name), 65_534, 65_534);
      const opening = openPgliteDatabase({ dataDir });
      await expect(opening).rejects.toBeInstanceOf(BootError);
      await expect(opening).rejects.toThrow(
        /^\S+ belongs to the user 65534, who can change the database, and this process is of the user 0: .*$/,
      );
    },
  );

  asRoot('is refused with one line to a user whom it does not belong to', async () => {
    const dataDir = await dataDirectory();
    for (const name of ['', 'pglite', 'pglite.owners']) {
      await mkdir(join(dataDir, name), { recursive: true });
      await chmod(join(dataDir, name), 0o777);
    }
    process.seteuid?.(65_534);
    try {
      await expect(openPgliteDatabase({ dataDir })).rejects.toThrow(
        /^\S+ belongs to the user 0, who can change the database, and this process is of the user 65534: .*$/,
      );
    } finally {
      process.seteuid?.(0);
    }
  });

  it('is copied from a template that every user can read and only its owner can write', async () => {
    const folder = await emptyFolder();
    const migrations = await readMigrations(join(packageRoot(), 'prisma', 'migrations'));
    const template = await templatePath(folder, migrations);
    // As an earlier version built it.
    await cp(await pgliteTemplate(), template, { recursive: true });
    await chmod(join(template, 'PG_VERSION'), 0o666);
    await mkdir(join(folder, 'pglite-of-other-migrations'));
    await buildTemplate(folder, migrations);
    expect(await readdir(folder)).toEqual([basename(template)]);
    expect(await strays(folder, readableModes)).toEqual([]);
    await rm(template, { recursive: true });
    await buildTemplate(folder, migrations);
    expect(await strays(folder, readableModes)).toEqual([]);
  });
});
