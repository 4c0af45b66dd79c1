import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayCommand } from '../../sandbox/gateway-command.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { CertificateAuthority } from '../support/certificates.js';
import { freePort } from '../support/free-port.js';
import { settingsOf, workloads, type Resource, type Workload } from '../support/kubernetes.js';
import { until } from '../support/until.js';

const gateway = join(packageRoot(), 'dist/gateway');
const ports = ['PORT', 'BANK_PORT', 'BROWSER_PORT', 'MTLS_PORT'];

/** A StatefulSet of an overlay. One folder holds the volumes, secrets and certificates that its cluster would mount. */
export class Rehearsal {
  readonly authority = new CertificateAuthority();
  readonly secrets: Readonly<Record<string, string>>;

  private constructor(
    private readonly folder: string,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly gateways: Workload,
    private readonly migrate: Workload,
    databaseUrl: string,
  ) {
    const files = Object.entries(settings).filter(
      ([name, path]) => name.endsWith('_FILE') && path.startsWith('/secrets/'),
    );
    const made = files.map(([name]) => [name.replace(/_FILE$/, ''), randomBytes(32).toString('hex')] as const);
    this.secrets = { ...Object.fromEntries(made), DATABASE_URL: databaseUrl };
  }

  /** @param changed settings in the place of the overlay's, such as the addresses of systems that run here */
  static async of(
    resources: readonly Resource[],
    namespace: string,
    databaseUrl: string,
    changed: Readonly<Record<string, string>>,
  ): Promise<Rehearsal> {
    const [gateways, migrate] = ['StatefulSet', 'Job'].map((kind) =>
      workloads(resources).find((one) => one.kind === kind && one.metadata.namespace === namespace),
    ) as [Workload, Workload];
    const folder = await mkdtemp(join(tmpdir(), 'pods-'));
    const settings = { ...settingsOf(resources, gateways), ...changed };
    const rehearsal = new Rehearsal(folder, settings, gateways, migrate, databaseUrl);
    await rehearsal.mount(resources, namespace);
    return rehearsal;
  }

  /** Runs the container of the Job, as the owner of the schema. @returns its exit code */
  async migrated(ownerUrl: string): Promise<unknown> {
    // The entry point of the image is the operators' program.
    const words = this.migrate.spec.template.spec.containers[0].args ?? [];
    const file = join(this.folder, 'owner');
    await writeFile(file, ownerUrl);
    const job = spawn(process.execPath, [join(packageRoot(), 'dist/operations/main.js'), ...words], {
      env: { DATABASE_URL_FILE: file },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return (await once(job, 'exit'))[0];
  }

  /** Starts the pod of a number. Its readiness is judged by the StatefulSet's probe from then on. */
  async pod(number: number): Promise<Pod> {
    const name = `${this.gateways.metadata.name}-${number}`;
    const mounts = this.gateways.spec.template.spec.containers[0].volumeMounts;
    const places = new Map(
      mounts.map(({ mountPath, subPathExpr }) => [
        mountPath,
        join(this.folder, mountPath, subPathExpr?.replace('$(POD_NAME)', name) ?? ''),
      ]),
    );
    const placeOf = (path: string): string => {
      const mount = [...places.keys()].find((place) => path === place || path.startsWith(`${place}/`));
      return mount === undefined ? path : `${places.get(mount)}${path.slice(mount.length)}`;
    };
    const own = Object.fromEntries(
      await Promise.all(ports.map(async (name) => [name, String(await freePort())] as const)),
    );
    const environment = Object.entries({ ...this.settings, ...own, HOST: '127.0.0.1', BANK_HOST: '127.0.0.1' }).map(
      ([name, value]) => [name, placeOf(value)],
    );
    // As in the pod, it can write nothing but its volumes.
    return new Pod({ ...Object.fromEntries(environment), DATA_DIR: '/proc/none' }, this.gateways);
  }

  /** The folders of the trail, by the name of their pod. */
  get trail(): string {
    return join(this.folder, 'trail');
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  private async mount(resources: readonly Resource[], namespace: string): Promise<void> {
    const { certificatePem, keyPem } = this.authority.issue('gateway');
    for (const path of ['secrets', 'tls/gateway', 'tls/tpps', 'trail', 'brand'])
      await mkdir(join(this.folder, path), { recursive: true, mode: 0o700 });
    const brand = resources.find(
      ({ kind, metadata }) =>
        kind === 'ConfigMap' && metadata.namespace === namespace && metadata.name.startsWith('gateway-brand'),
    ) as { data: Record<string, string> } | undefined;
    const files = {
      'tls/gateway/tls.crt': certificatePem,
      'tls/gateway/tls.key': keyPem,
      'tls/tpps/ca.crt': this.authority.certificatePem,
      'brand/brand.json': brand?.data['brand.json'] ?? '{}',
      ...Object.fromEntries(
        Object.entries(this.secrets).map(([name, secret]) => [this.settings[`${name}_FILE`]?.slice(1) ?? '', secret]),
      ),
    };
    for (const [path, content] of Object.entries(files)) await writeFile(join(this.folder, path), content);
  }
}

export class Pod {
  readonly port: number;
  readonly bankPort: number;
  readonly browserPort: number;
  /** Whether a Service sends connections to it. */
  ready = false;
  faults = '';
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  private readonly probing: Promise<void>;

  constructor(
    environment: Readonly<Record<string, string>>,
    private readonly gateways: Workload,
  ) {
    [this.port = 0, this.bankPort = 0, this.browserPort = 0] = ports.map((name) => Number(environment[name]));
    this.child = spawn(process.execPath, [...gatewayCommand.nodeOptions, join(gateway, 'main.js')], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr?.on('data', (text: Buffer) => (this.faults += text.toString()));
    this.ended = once(this.child, 'exit').then(([code, signal]) => (signal ?? code) as unknown);
    this.probing = this.probe();
  }

  async isReady(): Promise<void> {
    await until(() => {
      if (this.hasEnded()) throw new Error(`the pod ended: ${this.faults}`);
      return this.ready;
    });
  }

  /** As the kubelet: SIGTERM, and SIGKILL at the end of the grace period. @returns the exit code, or the signal */
  async stop(): Promise<unknown> {
    this.child.kill('SIGTERM');
    const grace = (this.gateways.spec.template.spec.terminationGracePeriodSeconds ?? 0) * 1_000;
    const kill = setTimeout(() => this.child.kill('SIGKILL'), grace);
    const ended = await this.ended;
    clearTimeout(kill);
    await this.probing;
    return ended;
  }

  async kill(): Promise<void> {
    if (!this.hasEnded()) this.child.kill('SIGKILL');
    await this.ended;
    await this.probing;
  }

  private hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private async probe(): Promise<void> {
    const probe = this.gateways.spec.template.spec.containers[0].readinessProbe;
    if (probe === undefined) throw new Error('the StatefulSet has no readiness probe');
    for (let failed = 0; !this.hasEnded();) {
      failed = (await this.statusOf(probe.httpGet.path)) === 200 ? 0 : failed + 1;
      if (failed === 0) this.ready = true;
      else if (failed >= probe.failureThreshold) this.ready = false;
      await Promise.race([sleep(probe.periodSeconds * 1_000, undefined, { ref: false }), this.ended]);
    }
    this.ready = false;
  }

  private statusOf(path: string): Promise<number | undefined> {
    return new Promise((resolve) => {
      const asked = request(
        { host: '127.0.0.1', port: this.bankPort, path, rejectUnauthorized: false, agent: false },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
      asked.on('error', () => resolve(undefined)).end();
    });
  }
}

/** A Service: each connection goes to the next ready pod. */
export class Service {
  private readonly open = new Set<Socket>();
  private turn = 0;

  private constructor(
    private readonly server: Server,
    private readonly pods: readonly Pod[],
  ) {
    server.on('connection', (client: Socket) => this.join(client));
  }

  static async before(pods: readonly Pod[]): Promise<Service> {
    const server = createServer({ allowHalfOpen: true });
    const service = new Service(server, pods);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return service;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.open) socket.destroy();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    const ready = this.pods.filter((pod) => pod.ready);
    const pod = ready[this.turn++ % ready.length];
    if (pod === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect({ port: pod.port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.open.add(from);
      from.on('error', () => to.destroy()).on('close', () => this.open.delete(from));
      from.pipe(to);
    }
  }
}
