import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { BootError } from '../../src/config/boot-error.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import { faultRecord } from '../../src/observability/fault-record.js';
import { readMigrations } from '../../src/persistence/migrations.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { freePort } from '../support/free-port.js';
import { temporaryFile } from '../support/temporary-file.js';
import { administer, freshPostgres, postgresUrl } from '../support/fresh-database.js';
import { CertificateAuthority } from '../support/certificates.js';

describe('the store on PostgreSQL', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  async function open(url: string): Promise<PrismaService> {
    const prisma = await PrismaService.open({ url, dataDir: '' });
    cleanUps.push(() => prisma.onApplicationShutdown());
    return prisma;
  }

  async function refusal(url: string): Promise<string> {
    const error: unknown = await open(url).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BootError);
    const { message } = error as BootError;
    expect(message).not.toContain('\n');
    expect(message).not.toContain('secret');
    return message;
  }

  describe('A PostgreSQL that cannot be reached is refused with one line that names the remedy,', () => {
    it('where no server listens', async () => {
      const port = await freePort();
      expect(await refusal(`postgresql://user:secret@127.0.0.1:${port}/gateway`)).toBe(
        `No PostgreSQL answers at 127.0.0.1:${port}: start it or correct DATABASE_URL.`,
      );
    });

    it('where the host has no address', async () => {
      expect(await refusal('postgresql://user:secret@database.invalid/gateway')).toBe(
        'The host database.invalid of DATABASE_URL is unknown: correct DATABASE_URL or the name service.',
      );
    });

    it('where a server listens and does not answer', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      cleanUps.push(async () => server.close());
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      expect(await refusal(`postgresql://user:secret@127.0.0.1:${port}/gateway`)).toMatch(
        new RegExp(`^PostgreSQL at 127.0.0.1:${port} cannot be used \\(.*timeout.*\\)`),
      );
    });

    it('where its certificate files are invalid, or do not belong together', async () => {
      const authority = new CertificateAuthority();
      const [one, other] = [authority.issue('one'), authority.issue('other')];
      const url = 'postgresql://user:secret@127.0.0.1:1/gateway?sslmode=verify-full';
      const ca = await temporaryFile('ca', 'secret');
      expect(await refusal(`${url}&sslrootcert=${ca}`)).toBe(
        `sslrootcert of DATABASE_URL "${ca}" holds no certificates: name a readable PEM file`,
      );
      const pair = `sslcert=${await temporaryFile('cert', one.certificatePem)}&sslkey=${await temporaryFile('key', other.keyPem)}`;
      expect(await refusal(`${url}&${pair}`)).toBe(
        'sslcert and sslkey of DATABASE_URL are not a certificate and its own key: name the PEM files of both.',
      );
    });

    it('where another kind of server answers', async () => {
      const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      server.listen(0, '127.0.0.1');
      cleanUps.push(async () => server.close());
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      const line = await refusal(`postgresql://user:secret@127.0.0.1:${port}/gateway`);
      expect(line).toMatch(
        new RegExp(`^PostgreSQL at 127.0.0.1:${port} cannot be used \\(it ended the connection: is it a P`),
      );
    });

    it.each(['mysql://user:secret@127.0.0.1/gateway', 'user secret'])(
      'where the address is invalid: %s',
      async (url) => {
        expect(await refusal(url)).toMatch(/^DATABASE_URL names no PostgreSQL/);
      },
    );
  });

  const onPostgres = postgresUrl === undefined ? describe.skip : describe;
  // Read only where it is set.
  const server = new URL(postgresUrl ?? 'postgresql://127.0.0.1/');

  async function freshSchema(serverUrl = server): Promise<URL> {
    const { config, drop } = await freshPostgres(serverUrl.href);
    cleanUps.push(drop);
    return new URL(config.url!);
  }

  onPostgres('PostgreSQL', () => {
    it('that refuses the user, or lacks the database, is refused with one line that reports it', async () => {
      const wrongPassword = new URL(server);
      wrongPassword.password = 'secret';
      expect(await refusal(wrongPassword.href)).toMatch(/^PostgreSQL at .* refuses the user /);
      const wrongDatabase = new URL(server);
      wrongDatabase.pathname = '/nowhere';
      expect(await refusal(wrongDatabase.href)).toMatch(/^PostgreSQL at .* has no database nowhere: /);
    });

    it('is reached by a process that pauses for longer than the time limit of a connection', async () => {
      const url = await freshSchema();
      const opening = PrismaService.open({ url: url.href, dataDir: '', connectTimeoutMs: 500 });
      // Until it is open, so that the process pauses in each step of a connection, including those of the pool.
      let isOpen = false;
      void opening.finally(() => (isOpen = true)).catch(() => undefined);
      for (let times = 0; times < 20 && !isOpen; times++) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
        await new Promise((resolve) => setImmediate(resolve));
      }
      const prisma = await opening;
      cleanUps.push(() => prisma.onApplicationShutdown());
      await prisma.database.ping();
    });

    it('is migrated once by five processes that start at once on an empty schema', async () => {
      const url = await freshSchema();
      const services = await Promise.all(Array.from({ length: 5 }, () => open(url.href)));
      await Promise.all(services.map((service) => service.database.ping()));
      expect(await services[0]!.$queryRaw`SELECT count(*)::int AS applied FROM _prisma_migrations`).toEqual([
        { applied: (await readMigrations(join(packageRoot(), 'prisma', 'migrations'))).length },
      ]);
    });

    it('whose connections were cut is used again at once', async () => {
      const url = await freshSchema();
      const name = `cut-${randomUUID()}`;
      url.searchParams.set('application_name', name);
      const prisma = await open(url.href);
      const store = new ConsentStore(prisma);
      await prisma.database.ping();

      // Waits until each session has ended: one that still reads would answer a statement with its end.
      await administer(
        server.href,
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = '${name}'`,
      );
      expect(await store.find('unknown')).toBeUndefined();
      await prisma.database.ping();
    });

    it('that refuses a change as read-only gets no further statement on any open connection, and statements under way end', async () => {
      const url = await freshSchema();
      const name = `read-only-${randomUUID()}`;
      url.searchParams.set('application_name', name);
      const prisma = await open(url.href);
      const add = (subject: string) =>
        prisma.limitCount.create({ data: { subject, part: '', atMs: [], newestAt: new Date(0) } });
      const sessions = async (): Promise<number[]> =>
        (
          await prisma.$queryRaw<{ pid: number }[]>`SELECT pid FROM pg_stat_activity WHERE application_name = ${name}`
        ).map(({ pid }) => pid);
      // Several connections of the pool, of which each is read-only.
      const readOnly = () =>
        prisma.$executeRaw`SELECT set_config('default_transaction_read_only', 'on', false), pg_sleep(0.2)`;
      await Promise.all([readOnly(), readOnly(), readOnly()]);
      await prisma.database.ping();
      const before = await sessions();
      expect(before.length).toBeGreaterThan(2);

      const underWay = prisma.$queryRaw`SELECT 'answered' AS it FROM pg_sleep(0.5)`;
      await expect(add('refused')).rejects.toThrow();
      await add('taken');
      expect(await underWay).toEqual([{ it: 'answered' }]);
      const after = await sessions();
      expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    });

    it('whose table is locked ends a probe for changes before readiness stops waiting for it', async () => {
      const url = await freshSchema();
      const prisma = await open(url.href);
      const other = new pg.Client(url.href);
      await other.connect();
      cleanUps.push(() => other.end());
      await other.query(`BEGIN; LOCK TABLE "${url.searchParams.get('schema')}".consents IN SHARE MODE`);
      // The time limit of the wait for a lock, not that of the statement, which is four times as long.
      await expect(prisma.database.ping()).rejects.toMatchObject({ code: '55P03' });
      await other.query('COMMIT');
      await prisma.database.ping();
    });

    it('that stops answering is an error, and is used again when it answers', async () => {
      const proxy = await silenceable(server);
      const throughProxy = await freshSchema();
      throughProxy.hostname = '127.0.0.1';
      throughProxy.port = String(proxy.port);
      const prisma = await open(throughProxy.href);
      const store = new ConsentStore(prisma);
      await prisma.database.ping();

      proxy.silence(true);
      const silentSince = performance.now();
      const place = { host: '127.0.0.1', port: proxy.port };
      for (const asked of [store.find('unknown'), prisma.database.ping()]) {
        const record = faultRecord(await asked.catch((error: unknown) => error));
        expect(record).toMatchObject({ ...place, detail: 'the database did not answer' });
        expect(record).not.toHaveProperty('stack');
      }
      // By the time limits of the statement and of the connection; the proxy would be silent for ever.
      expect(performance.now() - silentSince).toBeLessThan(60_000);

      proxy.silence(false);
      expect(await store.find('unknown')).toBeUndefined();
      await prisma.database.ping();
    });

    it('that stops answering in the middle of a transaction keeps every change that it acknowledges later', async () => {
      const proxy = await silenceable(server);
      const url = await freshSchema();
      const other = await open(url.href);
      [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
      const prisma = await PrismaService.open({ url: url.href, dataDir: '', statementTimeoutMs: 500, poolSize: 1 });
      cleanUps.push(() => prisma.onApplicationShutdown());

      const cut = prisma.$transaction(async (transaction) => {
        await transaction.$executeRaw`SELECT 1`;
        proxy.silence(true);
        await transaction.$executeRaw`SELECT 2`;
      });
      await expect(cut).rejects.toThrow();
      proxy.silence(false);
      await prisma.limitCount.create({ data: { subject: 'later', part: '', atMs: [], newestAt: new Date(0) } });
      expect(await other.limitCount.count()).toBe(1);
    });
  });

  /** A connection to the server on which, while it is silenced, connections stay open and no bytes arrive. */
  async function silenceable(to: URL): Promise<{ port: number; silence(silent: boolean): void }> {
    const sockets = new Set<Socket>();
    let silent = false;
    const proxy = createServer((near) => {
      const far = connect(Number(to.port || 5432), to.hostname);
      for (const [from, into] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        if (silent) from.pause();
        from.on('data', (data) => into.write(data));
        from.on('close', () => into.destroy());
        from.on('error', () => into.destroy());
      }
      if (silent) for (const socket of [near, far]) socket.pause();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => proxy.once('listening', resolve));
    cleanUps.push(async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    });
    return {
      port: (proxy.address() as AddressInfo).port,
      silence: (state) => {
        silent = state;
        for (const socket of sockets) {
          if (state) socket.pause();
          else socket.resume();
        }
      },
    };
  }
});
