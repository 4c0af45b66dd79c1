import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { taggedBlocks } from '../support/documents.js';
import { trailEvents } from '../support/read-trail.js';
import { GatewayClient } from './gateway-client.js';
import { bankCredential, environmentOf, freePorts, GatewayProcess, startBank } from './gateway-process.js';
import { PgBouncer } from './pgbouncer.js';
import { PostgresServer } from './postgres-cluster.js';

describe('the documents’ commands for roles, migrations, retention and erasure', () => {
  let bank: SandboxBank;
  let server: PostgresServer;
  let bouncer: PgBouncer;
  let trail: string;
  let gateway: GatewayProcess | undefined;
  let environment: Record<string, string | undefined>;
  const urlOf = (role: string): string => `postgresql://gateway_${role}@${server.address}/postgres`;
  beforeAll(async () => {
    trail = await mkdtemp(join(tmpdir(), 'trail-'));
    [bank, server] = await Promise.all([startBank(), PostgresServer.start()]);
    bouncer = await PgBouncer.start(server, ['ignore_startup_parameters = options']);
    const ports = await freePorts();
    environment = {
      ...environmentOf(bank, ports, { MIGRATE: 'no' }),
      ADMIN_URL: server.url(),
      // A pooler in transaction mode, as in front of the gateways.
      OWNER_URL: bouncer.url('', 'gateway_owner'),
      TRAIL_DIR: trail,
      MAINTENANCE_URL: urlOf('maintenance'),
      BANK_CREDENTIAL: bankCredential,
    };
  });
  afterAll(async () => {
    await gateway?.kill();
    await bouncer.stop();
    await server.remove();
    await bank.close();
    await rm(trail, { recursive: true });
  });

  const run = (commands: string) => {
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-ec', commands], {
      cwd: packageRoot(),
      env: environment,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const serve = () => GatewayProcess.start({ ...environment, DATABASE_URL: bouncer.url('', 'gateway_serving') });

  it('make the roles and the tables, and the gateway starts after them and not before', async () => {
    const [roles = '', migrate = '', contract = '', ...more] = taggedBlocks('roles');
    expect(more).toEqual([]);
    expect(run(roles)).toMatchObject({ status: 0, stderr: '' });
    await expect(serve()).rejects.toThrow(
      /gateway: MIGRATE=no, and the database lacks \w+_init[^\n]*`npm run ops -- migrate`[^\n]*\n$/,
    );
    expect(run(migrate)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^applied: \d+_init$/m),
      stderr: '',
    });
    expect(run(migrate)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^nothing was applied$/m) });
    expect(run(contract)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^nothing was applied$/m) });
    gateway = await serve();
  });

  it('erase a customer, and the customers of consents that ended long ago', async () => {
    const [retention = '', withTrail = '', erase = '', withdraw = '', ...more] = taggedBlocks('erasure');
    expect(more).toEqual([]);
    const client = new GatewayClient(gateway!, bank);
    const access = await client.give('tpp-one');
    expect(await client.read(access)).toBe(200);
    const [persona] = bank.personas;
    const traces = [persona!.person.key, ...persona!.accounts.map(({ acct }) => acct.key)];
    const dump = () => server.program('pg_dump', ['--dbname', server.url()]);
    const found = (text: string): string[] => traces.filter((trace) => text.includes(trace));
    expect([traces[0], found(await dump())]).toEqual(['C1001', traces]);

    expect(run(erase)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('give access, and nothing was erased'),
    });
    expect(run(withdraw)).toMatchObject({ status: 0, stdout: expect.stringContaining(access.consentId), stderr: '' });
    expect(await client.read(access)).toBe(401);
    expect(found(await dump())).toEqual([]);
    const written = await trailEvents(trail);
    expect(written).toContainEqual(expect.objectContaining({ kind: 'withdrawal', consent: access.consentId }));
    expect(found(JSON.stringify(written))).toEqual([]);
    expect(run(erase)).toMatchObject({
      status: 0,
      stdout: 'no consent names the customer: nothing was left to erase\n',
    });
    expect(run(retention)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^0 consents that ended by /) });
    expect(run(withTrail)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^days of the trail that were deleted: none; removed from .+: none$/m),
    });
    expect(run(retention.replace(/RETENTION_DAYS=\d+/, ''))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^ops: RETENTION_DAYS must be the days, [^\n]*\n$/),
    });
  });
});
