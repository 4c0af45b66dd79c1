import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { v3_1 } from '../../src/versions/v3.1.js';
import { CertificateAuthority } from '../support/certificates.js';
import { freePort } from '../support/free-port.js';
import { administer } from '../support/fresh-database.js';
import { journalKey } from '../support/journal-lines.js';
import { realNowMs } from '../support/real-time.js';
import { GatewayClient, type GivenAccess } from './gateway-client.js';
import {
  bankCredential,
  buildGateway,
  environmentOf,
  freePorts,
  GatewayProcess,
  patienceMs,
  startBank,
} from './gateway-process.js';
import { until } from '../support/until.js';
import { PostgresServer } from './postgres-cluster.js';
import { commandsOf, parts, sections } from './runbook-drills.js';

describe('the drills of docs/runbook.md', () => {
  const interaction = '93bac548-d2de-4546-b106-880a50180001';
  let folder: string;
  let bank: SandboxBank;
  let server: PostgresServer;
  let gateway: GatewayProcess;
  let client: GatewayClient;
  let settings: NodeJS.ProcessEnv;
  let access: GivenAccess;
  let customer = '';

  const certificate = async (days: number): Promise<void> => {
    const until = new Date(realNowMs() + days * 86_400_000).toISOString().replace(/[^\d]/g, '').slice(2, 14);
    const { certificatePem, keyPem } = authority.issue('gateway', { until });
    await writeFile(join(folder, 'cert.pem'), certificatePem);
    await writeFile(join(folder, 'key.pem'), keyPem);
  };
  const authority = new CertificateAuthority();

  beforeAll(async () => {
    buildGateway();
    folder = await mkdtemp(join(tmpdir(), 'drills-'));
    [bank, server] = await Promise.all([startBank(), PostgresServer.start()]);
    for (const name of ['gateway', 'restored']) await administer(server.url(), `CREATE DATABASE ${name}`);
    const [browserPort, mtlsPort, ports] = [await freePort(), await freePort(), await freePorts()];
    await certificate(5);
    await writeFile(join(folder, 'ca.pem'), authority.certificatePem);
    await mkdir(join(folder, 'journal'));
    settings = environmentOf(bank, ports, {
      DATABASE_URL: server.url('gateway'),
      AUTHORISATION_SERVER: 'embedded',
      ...{ BROWSER_PORT: String(browserPort), BROWSER_URL: `http://127.0.0.1:${browserPort}` },
      ...{ MTLS_PORT: String(mtlsPort), MTLS_URL: `https://127.0.0.1:${mtlsPort}` },
      MTLS_CERT_FILE: join(folder, 'cert.pem'),
      MTLS_KEY_FILE: join(folder, 'key.pem'),
      MTLS_CLIENT_CA_FILE: join(folder, 'ca.pem'),
      KEY_ENCRYPTION_KEY: 'a1b2c3d4e5f60718293a4b5c6d7e8f90f1e2d3c4b5a697887766554433221100',
      CUSTOMER_AUTHENTICATION_URL: `${new URL(bank.coreUrl).origin}/sign-on`,
      CUSTOMER_AUTHENTICATION_CREDENTIAL: 'operations-sign-on-credential-0123456789',
      ...{ REVOCATION_JOURNAL: join(folder, 'journal'), REVOCATION_JOURNAL_KEY: journalKey },
      TRAIL_DIR: join(folder, 'trail'),
    });
    gateway = await GatewayProcess.start(settings);
    client = new GatewayClient(gateway, bank);
    access = await client.give('moneyview');
    customer = bank.personas[0]?.person.key ?? '';
    const read = await fetch(`http://127.0.0.1:${gateway.ports.port}${v3_1.basePath}/accounts`, {
      headers: { authorization: `Bearer ${access.token}`, 'x-fapi-interaction-id': interaction },
    });
    expect(read.status).toBe(200);
  });
  afterAll(async () => {
    await gateway?.kill();
    await server?.remove();
    await bank?.close();
    await rm(folder, { recursive: true });
  });

  /** Runs a command in the project's folder, with the files of the drills in a temporary one. @returns its output */
  async function run(command: string): Promise<string> {
    const here = command
      .replaceAll('localhost:3001', `localhost:${gateway.ports.bankPort}`)
      .replaceAll('C1001', customer)
      .replaceAll(/\b(backup-began|consents\.dump|proof\.json)\b/g, join(folder, '$1'));
    const child = spawn('bash', ['-o', 'pipefail', '-c', here], {
      cwd: packageRoot(),
      env: {
        ...settings,
        BANK_CREDENTIAL: bankCredential,
        RESTORED_URL: server.url('restored'),
        gateway: String(gateway.child.pid),
        interaction,
      },
    });
    let [said, faults] = ['', ''];
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    child.stderr.on('data', (text: Buffer) => (faults += text.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expect([here, code, code === 0 ? '' : faults]).toEqual([here, 0, '']);
    return said;
  }
  /** The output of each part's commands, one part after the other. */
  async function drill(title: string, before: Partial<Record<(typeof parts)[number], () => Promise<unknown>>> = {}) {
    const said: Record<string, string> = {};
    for (const part of parts) {
      await before[part]?.();
      const outputs: string[] = [];
      for (const command of commandsOf(title, part)) outputs.push(await run(command));
      said[part] = outputs.join('\n');
    }
    return said as Record<(typeof parts)[number], string>;
  }

  it('each have a meaning, a confirmation, a mend and an end', () => {
    expect(sections.size).toBe(9);
    for (const [title, text] of sections)
      expect([title, [...text.matchAll(/^- (\w+): /gm)].map(([, name]) => name)]).toEqual([title, [...parts]]);
  });

  it('make a backup and restore it, with the withdrawals that came later', async () => {
    const backup = await drill('a backup');
    expect([backup.Confirm.trim(), backup.Over]).toEqual(['1', expect.stringContaining('consents')]);
    const later = await client.give('moneyview');
    await client.report(`/consents/${access.consentId}/revoke`);
    const restore = await drill('a restore');
    expect(restore.Mend).toContain(': 1 applied, 0 already so');
    expect(restore.Over.trim()).toBe('1');
    const [, recover = ''] = commandsOf('a restore', 'Mend');
    expect(await run(recover)).toContain(': 0 applied, 1 already so');
    access = later;
  });

  it('see the primary and readiness', async () => {
    const { Confirm } = await drill('a failover');
    expect(Confirm.trim()).toBe('f');
  });

  it('rotate the signing keys', async () => {
    const { Confirm, Over } = await drill('a key of ours may be known to others');
    const [before, after] = [Confirm, Over].map((text) => text.trim().split('\n'));
    expect(after).toEqual(expect.arrayContaining(before ?? []));
    expect(after?.length).toBeGreaterThan(before?.length ?? 0);
  });

  it('take a new certificate without a restart', async () => {
    const days = (text: string): number => Math.round(Number(/ ([\d.]+)$/m.exec(text)?.[1]));
    const { Confirm, Over } = await drill('a certificate', {
      Mend: () => certificate(90),
      Over: () => until(() => /certificates/.test(gateway.output), patienceMs),
    });
    expect([days(Confirm), days(Over)]).toEqual([5, 90]);
  });

  it('stop a TPP', async () => {
    const { Confirm, Over } = await drill('a TPP must be stopped', {
      Over: async () => expect(await client.read(access)).not.toBe(200),
    });
    expect(Confirm).toMatch(/accounts +200/);
    expect(Over).toMatch(/moneyview/);
    expect(await client.read(access)).toBe(200);
  });

  it('answer a customer who complains', async () => {
    const { Confirm } = await drill('a customer complains', {
      Over: () => client.report(`/consents/${access.consentId}/revoke`),
    });
    expect(Confirm).toContain('moneyview');
  });

  it('answer the regulator', async () => {
    // Its segment of the trail is closed.
    expect(await gateway.stop()).toBe(0);
    const { Mend, Over } = await drill('the regulator asks');
    expect(Mend).toContain('accounts');
    expect(Over).toMatch(/\S/);
  });
});
