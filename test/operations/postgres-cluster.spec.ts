import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PostgresServer } from './postgres-cluster.js';

describe('the PostgreSQL servers of a test', () => {
  const servers: PostgresServer[] = [];
  afterAll(async () => {
    for (const server of servers) await server.remove();
  });

  async function ask(server: PostgresServer, sql: string): Promise<unknown> {
    const client = new pg.Client(server.url());
    await client.connect();
    try {
      return Object.values((await client.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0];
    } finally {
      await client.end();
    }
  }

  it('are a primary, a standby that follows and replaces it, and the previous primary as its standby', async () => {
    const primary = await PostgresServer.start();
    servers.push(primary);
    const standby = await primary.standby();
    servers.push(standby);
    expect(await ask(primary, 'SELECT pg_is_in_recovery()')).toBe(false);
    expect(await ask(standby, 'SELECT pg_is_in_recovery()')).toBe(true);

    await primary.stop('immediate');
    await standby.promote();
    expect(await ask(standby, 'SELECT pg_is_in_recovery()')).toBe(false);

    // It wrote nothing that the new primary lacks, so it needs no rewinding.
    await primary.follow(standby);
    await primary.run();
    expect(await ask(primary, 'SELECT pg_is_in_recovery()')).toBe(true);
    expect(await primary.program('pg_dump', ['--dbname', standby.url()])).toContain('PostgreSQL database dump');
  });
});
