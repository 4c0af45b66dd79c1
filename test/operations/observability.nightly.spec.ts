// Nightly: it needs prometheus.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { CertificateAuthority } from '../support/certificates.js';
import { freePort } from '../support/free-port.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { alertSections, expressions, observabilityFolder, ruleFiles } from '../support/observability-files.js';
import { realNowMs } from '../support/real-time.js';
import { GatewayClient, type GivenAccess } from './gateway-client.js';
import { profileFile } from '../support/profile-file.js';
import { environmentOf, freePorts, GatewayProcess, startBank, patienceMs } from './gateway-process.js';
import { askMany } from './many-requests.js';
import { once } from 'node:events';
import { until } from '../support/until.js';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a core, and passes each request on after a delay. */
class CoreInBetween {
  delayMs = 0;

  private constructor(
    private readonly server: Server,
    private readonly coreUrl: URL,
  ) {
    server.on('request', (asked, answer) => {
      setTimeout(() => {
        const { method, headers, url = '' } = asked;
        const onward = request(new URL(url, coreUrl), { method, headers }, (came) => {
          answer.writeHead(came.statusCode ?? 502, came.headers);
          came.pipe(answer);
        });
        onward.on('error', () => asked.socket.destroy());
        asked.pipe(onward);
      }, this.delayMs);
    });
  }

  static async start(coreUrl: string): Promise<CoreInBetween> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CoreInBetween(server, new URL(coreUrl));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.coreUrl.pathname}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

interface Answered {
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

/** Debian's Prometheus with rules, which scrapes gateways every second. */
class PrometheusServer {
  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(ruleFiles: readonly string[], targets: readonly string[]): Promise<PrometheusServer> {
    const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
    const port = await freePort();
    const file = join(folder, 'prometheus.yml');
    // A JSON text is one of YAML too.
    await writeFile(
      file,
      JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: ruleFiles,
        scrape_configs: [{ job_name: 'gateway', static_configs: [{ targets }] }],
      }),
    );
    const child = spawn(
      'prometheus',
      [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`],
      { stdio: 'ignore' },
    );
    const server = new PrometheusServer(folder, child, port);
    await until(() => server.isReady(), patienceMs);
    return server;
  }

  /** The values that an expression has now. */
  async values(expr: string): Promise<readonly number[]> {
    const answer = await this.ask(`query?${new URLSearchParams({ query: expr })}`);
    return (answer as Answered).data.result.map(({ value }) => Number(value[1]));
  }

  /** The faults with which rules were evaluated. */
  async ruleFaults(): Promise<readonly string[]> {
    const { data } = (await this.ask('rules')) as {
      data: { groups: { rules: { name: string; lastError?: string }[] }[] };
    };
    return data.groups.flatMap(({ rules }) =>
      rules.flatMap(({ name, lastError }) => (lastError ? [`${name}: ${lastError}`] : [])),
    );
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    await rm(this.folder, { recursive: true });
  }

  private async ask(path: string): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/v1/${path}`);
    if (!answer.ok) throw new Error(`Prometheus answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  private isReady(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

/** The output of Debian's promtool, which ends with an error where it finds a fault. */
function promtool(folder: string, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`promtool ${words.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** Expressions that this test cannot give data, by rule or panel. `promtool test rules` shows that these alerts fire. */
const withoutData: Readonly<Record<string, string>> = {
  CertificateUnreadable: 'the file of a certificate must go after the start',
  EventsWait: 'an event must wait for a week',
  IssuerKeysOld: 'the keys must be an hour old',
  GatewayFault: 'the gateway must have a bug',
  'Gateway: core: Lists without this core': 'the bank must have several cores',
  'Gateway: core: Events of the adapter': 'the adapter of the ledger counts none',
  'Gateway: core: Durations of the adapter': 'the adapter of the ledger measures none',
};

describe('the rules in deploy/observability', () => {
  const folder = join(observabilityFolder, 'prometheus');

  it('are valid to Prometheus, and fire as their tests say', () => {
    expect(promtool(folder, 'check', 'rules', ...ruleFiles.map((file) => basename(file)))).toContain('SUCCESS');
    expect(promtool(folder, 'check', 'config', '--syntax-only', 'prometheus.yml')).toContain('SUCCESS');
    expect(promtool(folder, 'test', 'rules', 'rules.test.yml')).toContain('SUCCESS');
  });
});

describe('a Prometheus that scrapes a gateway', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  let folder: string;
  let bank: SandboxBank;
  let core: CoreInBetween;
  let database: FreshDatabase;
  let gateway: GatewayProcess;
  let unread: GatewayProcess;
  let client: GatewayClient;
  let prometheus: PrometheusServer;
  let targets = 0;
  let browserUrl: string;
  let clientId = 0;

  async function settings(): Promise<NodeJS.ProcessEnv> {
    const [browserPort, mtlsPort] = await Promise.all([freePort(), freePort()]);
    browserUrl = `http://127.0.0.1:${browserPort}`;
    const authority = new CertificateAuthority();
    // In five days, as YYMMDDhhmmss.
    const until = new Date(realNowMs() + 5 * 86_400_000).toISOString().replace(/[^\d]/g, '').slice(2, 14);
    const { certificatePem, keyPem } = authority.issue('gateway', { until });
    const file = async (name: string, content: string): Promise<string> => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    return {
      AUTHORISATION_SERVER: 'embedded',
      BROWSER_PORT: String(browserPort),
      BROWSER_URL: browserUrl,
      MTLS_PORT: String(mtlsPort),
      MTLS_URL: `https://127.0.0.1:${mtlsPort}`,
      MTLS_CERT_FILE: await file('cert.pem', certificatePem),
      MTLS_KEY_FILE: await file('key.pem', keyPem),
      MTLS_CLIENT_CA_FILE: await file('ca.pem', authority.certificatePem),
      KEY_ENCRYPTION_KEY: 'a1b2c3d4e5f60718293a4b5c6d7e8f90f1e2d3c4b5a697887766554433221100',
      CUSTOMER_AUTHENTICATION_URL: `${new URL(bank.coreUrl).origin}/sign-on`,
      CUSTOMER_AUTHENTICATION_CREDENTIAL: 'operations-sign-on-credential-0123456789',
      TRAIL_DIR: join(folder, 'trail'),
      // So that a read is soon one without the customer, one TPP soon asks too much, and few connections are soon in use.
      PROFILE: await profileFile(folder, { authenticationWindowSeconds: 1 }),
      TPP_REQUESTS_PER_SECOND: '25',
      CORE_CONNECTIONS: '2',
      DATABASE_POOL_SIZE: '1',
      CORE_DEADLINE_MS: '30000',
    };
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'observability-'));
    cleanUps.push(() => rm(folder, { recursive: true }));
    [bank, database] = await Promise.all([startBank(), freshDatabase()]);
    cleanUps.push(
      () => bank.close(),
      () => database.drop(),
    );
    core = await CoreInBetween.start(bank.coreUrl);
    cleanUps.push(() => core.close());
    const shared = { DATABASE_URL: database.config.url, CORE_URL: core.url };
    gateway = await GatewayProcess.start(environmentOf(bank, await freePorts(), { ...shared, ...(await settings()) }));
    cleanUps.push(() => gateway.kill());
    unread = await GatewayProcess.start(environmentOf(bank, await freePorts(), shared), { reads: false });
    cleanUps.push(() => unread.kill());
    client = new GatewayClient(gateway, bank);
    const ports = [gateway.ports.bankPort, unread.ports.bankPort, await freePort()];
    targets = ports.length;
    prometheus = await PrometheusServer.start(
      ruleFiles,
      ports.map((port) => `127.0.0.1:${port}`),
    );
    cleanUps.push(() => prometheus.stop());
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  const given = (): Promise<GivenAccess> => client.give(`tpp-${clientId++}`);
  const times = (count: number, work: () => Promise<unknown>): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, work));
  /** Two scrapes of every target, so that the latest change of a counter is one between two scrapes. */
  async function scraped(): Promise<void> {
    const begunAt = performance.now();
    for (let scrapes: readonly number[] = []; scrapes.length < targets || Math.min(...scrapes) < 2;) {
      await sleep(100);
      scrapes = await prometheus.values(`count_over_time(up[${Math.round(performance.now() - begunAt)}ms])`);
    }
  }

  /** With scrapes in between: a rate counts nothing of a series that is new. */
  async function twice(work: () => Promise<unknown>): Promise<void> {
    await work();
    await scraped();
    await work();
  }

  let pending = new Map(expressions.map(({ where, expr }) => [`${where}\n${expr}`, { where, expr }]));
  /** Leaves out those that return data now. */
  async function look(): Promise<void> {
    const all = await Promise.all(
      [...pending].map(async ([key, { expr }]) =>
        (await prometheus.values(expr)).some((value) => !Number.isNaN(value)) ? [] : [key],
      ),
    );
    const left = new Set(all.flat());
    pending = new Map([...pending].filter(([key]) => left.has(key)));
  }
  /** While some work lasts, and shortly after it. */
  async function lookDuring(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = work.finally(() => (isOver = true));
    while (!isOver) {
      await look();
      await sleep(200);
    }
    await over;
    await scraped();
    await look();
  }

  async function askWithoutCustomer(): Promise<void> {
    const access = await given();
    await sleep(1_100);
    await twice(async () => {
      await times(3, () => client.read(access));
      await fetch(`${browserUrl}/as/dashboard`);
    });
  }
  async function flood(): Promise<void> {
    const access = await given();
    await twice(() => times(200, () => client.read(access)));
  }
  async function beSlow(): Promise<void> {
    core.delayMs = 800;
    // Different consents: identical reads would share one answer.
    const accesses = await Promise.all(Array.from({ length: 8 }, given));
    for (let turn = 0; turn < 12; turn++) await Promise.all(accesses.map((access) => client.read(access)));
    core.delayMs = 0;
  }
  async function sendBadRecords(): Promise<void> {
    const access = await given();
    bank.setFault('partial');
    await twice(() => client.read(access));
    bank.setFault('none');
  }
  async function beDown(): Promise<void> {
    const accesses = await Promise.all(Array.from({ length: 4 }, given));
    bank.setFault('down');
    await twice(async () => {
      for (let turn = 0; turn < 15; turn++) await Promise.all(accesses.map((access) => client.read(access)));
    });
    bank.setFault('none');
  }
  async function lockTables(): Promise<void> {
    const accesses = await Promise.all(Array.from({ length: 8 }, given));
    const session = new pg.Client(database.config.url);
    await session.connect();
    const { rows } = await session.query<{ tables: string }>(
      `SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') AS tables FROM pg_tables
       WHERE tablename IN ('consents', 'tpps', 'tpp_standings')`,
    );
    await session.query(`BEGIN; LOCK TABLE ${rows[0]?.tables} IN ACCESS EXCLUSIVE MODE`);
    await sleep(1_100);
    await Promise.all([
      ...accesses.map((access) => client.read(access)),
      twice(() => times(20, () => fetch(`${browserUrl}/as/authorize?client_id=unknown`, { redirect: 'manual' }))),
    ]);
    await session.end();
  }
  /** A file in the place of the folder: no segment can be made. */
  async function loseTrail(): Promise<void> {
    const accesses = [await given(), await given()];
    await rm(join(folder, 'trail'), { recursive: true });
    await writeFile(join(folder, 'trail'), '');
    await twice(() => client.report(`/consents/${accesses.pop()?.consentId}/revoke`).catch(() => undefined));
  }
  async function fillTheLog(): Promise<void> {
    const dropped = async (): Promise<boolean> =>
      (await prometheus.values('sum(gateway_log_records_dropped_total) > 0')).length > 0;
    while (!(await dropped())) await askMany(unread.ports.port, 2_000);
  }

  it('has data for each expression of the rules and the dashboards, once the fault that it shows is there', async () => {
    for (const work of [askWithoutCustomer, flood, beSlow, sendBadRecords, beDown, lockTables, fillTheLog, loseTrail])
      await lookDuring(work());
    expect([...pending.values()].map(({ where }) => where).sort()).toEqual(Object.keys(withoutData).sort());
  });

  it('shows that each objective was missed', async () => {
    const missed =
      'max_over_time(gateway:slo_errors:ratio_5m[1h]) > on (slo) group_left () (1 - gateway:slo_objective)';
    expect(await prometheus.values(`count(count by (slo) (${missed}))`)).toEqual([4]);
  });

  it('evaluates every rule without a fault', async () => {
    expect(await prometheus.ruleFaults()).toEqual([]);
  });

  it.each(alertSections.map(({ title, commands }) => [title, commands] as const))(
    'is asked by the commands of docs/operate/incidents.md, "%s"',
    async (_title, commands) => {
      for (const command of commands) {
        const here = command
          .replaceAll('localhost:3001', `localhost:${gateway.ports.bankPort}`)
          .replaceAll('localhost:9090', `localhost:${prometheus.port}`);
        // Not in this process's way, in which the core's connections run.
        const { stdout, stderr } = await promisify(execFile)('bash', ['-o', 'pipefail', '-c', here]);
        expect([command, stderr]).toEqual([command, '']);
        if (!command.includes('increase(')) expect(stdout.trim()).not.toBe('');
      }
    },
  );
});
