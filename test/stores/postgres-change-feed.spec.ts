import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { readDatabaseUrl } from '../../src/config/database-url.js';
import { PostgresChangeFeed } from '../../src/persistence/postgres-change-feed.js';
import { PostgresServers } from '../../src/persistence/postgres-servers.js';
import { until } from '../support/until.js';

describe('a PostgreSQL that refuses to tell of changes', () => {
  let refusing: Server;
  const told: string[] = [];
  beforeAll(async () => {
    const words = 'password authentication failed for user "mary"';
    const fields = Buffer.from(`SFATAL\0C28P01\0M${words}\0\0`);
    const head = Buffer.from('E0000');
    head.writeInt32BE(4 + fields.length, 1);
    refusing = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.concat([head, fields])));
    }).listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const tell = (message: unknown): void => void told.push(String(message));
    Logger.overrideLogger({ log: tell, warn: tell, error: tell });
  });
  afterAll(() => {
    Logger.overrideLogger(true);
    refusing.close();
  });

  it('is named in the log by the code of its refusal, without its words', async () => {
    const { port } = refusing.address() as AddressInfo;
    const address = readDatabaseUrl(`postgresql://mary:x@127.0.0.1:${port}/x`, 'DATABASE_URL');
    const servers = new PostgresServers(address, { connectTimeoutMs: 5_000 });
    const changes = new PostgresChangeFeed({ connect: () => servers.connect(), notify: () => Promise.resolve() });
    changes.run();
    await until(() => told.length > 0);
    await changes.close();
    expect(told).toEqual([expect.stringMatching(/^Lost the connection .* \(28P01\): every consent is read/)]);
  });
});
