import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/persistence/package-root.js';
import { administer } from '../support/fresh-database.js';
import { type Service, composed } from './compose-file.js';
import { ContainerAddresses } from './container-addresses.js';
import { ContainerProcess, type ContainerStart, type Ended, ended, wordsOf } from './container-process.js';
import { type Image, filesIn, imageOf } from './image-files.js';
import { PostgresServer } from './postgres-cluster.js';

const run = promisify(execFile);

/** Debian's programs in the place of images that are not ours, with the arguments that the image has. */
const debian: Readonly<Record<string, readonly string[]>> = {
  'prom/prometheus': [
    'prometheus',
    '--config.file=/etc/prometheus/prometheus.yml',
    '--storage.tsdb.path=/prometheus',
    '--web.listen-address=0.0.0.0:9090',
  ],
};
const postgres = 'postgres';

const runsHere = (service: Service): boolean =>
  service.target !== undefined || repository(service) === postgres || repository(service) in debian;

/** A command line in a container. */
export interface ContainerLine {
  readonly service: string;
  readonly words: readonly string[];
  /** In the place of the image's. */
  readonly entrypoint?: readonly string[];
  /** In addition to the service's settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

const repository = ({ image }: Service): string => image.replace(/:.*$/, '');

/**
 * docker-compose.yml without Docker: each service of ours as a process with the command, the settings, the files and the
 * health check of its container, by {@link ContainerAddresses}; Debian's PostgreSQL, which trusts every connection here, and
 * Debian's Prometheus.
 */
export class Containers {
  /** The folder with `.env`. */
  readonly folder = mkdtempSync(join(tmpdir(), 'containers-'));
  readonly addresses = new ContainerAddresses(() => this.services);
  /** Rendered at the first start. */
  services: readonly Service[] = [];
  /** The names of the services that were started. */
  readonly ran = new Set<string>();
  private readonly images = new Map<string, Image>();
  private readonly started = new Map<string, Promise<void>>();
  private readonly processes = new Map<string, ContainerProcess>();
  private readonly servers: PostgresServer[] = [];

  constructor() {
    symlinkSync(join(packageRoot(), 'deploy'), join(this.folder, 'deploy'));
    symlinkSync(join(packageRoot(), '.env.example'), join(this.folder, '.env.example'));
  }

  /** As `docker compose --profile … up`, without the services that Debian has no package of. */
  async up(...profiles: readonly string[]): Promise<void> {
    if (this.services.length === 0) this.services = composed(this.folder);
    const wanted = this.services.filter(({ profiles: own }) => own?.some((name) => profiles.includes(name)) ?? true);
    await Promise.all(wanted.filter(runsHere).map(({ name }) => this.ready(name, 'service_healthy')));
  }

  /** As `docker compose run --rm`: another container of the service, with another network than its first one. */
  async run({ service: name, ...line }: ContainerLine): Promise<Ended> {
    this.ran.add(name);
    const service = this.service(name);
    const network = service.network === name ? `${name}-run` : service.network;
    return ended(await this.startOf({ ...service, network }, line));
  }

  /** As `docker compose exec`. */
  async exec({ service: name, ...line }: ContainerLine): Promise<Ended> {
    return ended(await this.startOf(this.service(name), { ...line, entrypoint: [] }));
  }

  async stop(name: string): Promise<number | null | undefined> {
    const process = this.processes.get(name);
    this.processes.delete(name);
    this.started.delete(name);
    return process?.stop();
  }

  start(name: string): Promise<void> {
    return this.ready(name, 'service_healthy');
  }

  /** Stops the services, those first that need others. @returns the exit code of each */
  async down(): Promise<Readonly<Record<string, number | null | undefined>>> {
    const codes: Record<string, number | null | undefined> = {};
    for (const name of [...this.processes.keys()].reverse()) codes[name] = await this.stop(name);
    return codes;
  }

  /** Files that a process wrote next to those of its image, where a container may write nothing. */
  writtenInImages(): readonly string[] {
    return [...this.images.values()].flatMap(({ folder, files }) => filesIn(folder).filter((file) => !files.has(file)));
  }

  /** Removes everything. */
  async remove(): Promise<void> {
    await this.down();
    for (const server of this.servers) await server.remove();
    await rm(this.folder, { recursive: true });
  }

  private service(name: string): Service {
    const found = this.services.find((service) => service.name === name);
    if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
    return found;
  }

  private ready(name: string, condition: string): Promise<void> {
    if (condition !== 'service_healthy') throw new Error(`${name}: the condition ${condition} is not known here`);
    const begun = this.started.get(name) ?? this.begin(this.service(name));
    this.started.set(name, begun);
    return begun;
  }

  private async begin(service: Service): Promise<void> {
    const { name, dependsOn, network } = service;
    this.ran.add(name);
    const needed = { ...(network !== name && { [network]: 'service_healthy' }), ...dependsOn };
    const here = Object.entries(needed).filter(([one]) => runsHere(this.service(one)));
    await Promise.all(here.map(([one, condition]) => this.ready(one, condition)));
    if (repository(service) === postgres) return this.beginPostgres(service);
    const process = new ContainerProcess(await this.startOf(service));
    this.processes.set(name, process);
    const check = service.healthcheck ?? this.imageOf(service)?.healthcheck;
    if (check) await process.healthy(await this.inContainer(service, check));
  }

  private async beginPostgres({ name, environment, mounts, healthcheck = [] }: Service): Promise<void> {
    const server = await PostgresServer.start();
    this.servers.push(server);
    this.addresses.stand(name, 5432, server.port);
    const { POSTGRES_DB: database = '' } = environment;
    await administer(server.url(), `CREATE DATABASE ${database}`);
    for (const [path, file] of mounts)
      if (path.startsWith('/docker-entrypoint-initdb.d/'))
        await run('psql', [server.url(database), '--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', `--file=${file}`]);
    const { code, said } = await ended({
      words: wordsOf(healthcheck),
      folder: this.folder,
      environment: { PGPORT: String(server.port) },
    });
    if (code !== 0) throw new Error(`the health check of ${name} ended with ${code}: ${said}`);
  }

  private async startOf(
    service: Service,
    { words, entrypoint, environment: more }: Partial<ContainerLine> = {},
  ): Promise<ContainerStart> {
    const image = this.imageOf(service);
    const command = words ?? service.command ?? image?.command ?? debian[repository(service)] ?? [];
    const set = { ...image?.environment, ...service.environment, ...more };
    const environment = await this.addresses.settings(set, service.network, image !== undefined);
    const paths = Object.entries(environment).map(async ([name, value]) => [name, await this.pathsIn(value, service)]);
    return {
      folder: image?.folder ?? this.folder,
      environment: Object.fromEntries(await Promise.all(paths)) as Record<string, string>,
      words: await this.inContainer(service, [...(entrypoint ?? image?.entrypoint ?? []), ...command]),
    };
  }

  /** A command line of the container, with the addresses and paths of this machine. */
  private async inContainer(service: Service, words: readonly string[]): Promise<readonly string[]> {
    return Promise.all(
      words.map(async (word) => this.pathsIn(await this.addresses.rewritten(word, service.network), service)),
    );
  }

  private async pathsIn(text: string, service: Service): Promise<string> {
    const { name, mounts } = service;
    let done = text;
    const anonymous = (this.imageOf(service)?.volumes ?? []).map((path) => [path, `${name}${path}`] as const);
    for (const [path, source] of new Map([...anonymous, ...mounts])) {
      const place = new RegExp(`(?<=^|=)${path}(?=/|$)`);
      if (place.test(done)) done = done.replace(place, await this.mounted(source, service));
    }
    return done;
  }

  /** The folder of a volume, or the container's copy of mounted files with the addresses of this machine. */
  private async mounted(source: string, { name, network }: Service): Promise<string> {
    const folder = join(
      this.folder,
      'volumes',
      source.startsWith('/') ? `${name}-${source.replaceAll('/', '-')}` : source,
    );
    mkdirSync(folder, { recursive: true });
    if (!source.startsWith('/')) return folder;
    cpSync(source, folder, { recursive: true });
    for (const file of readdirSync(folder)) {
      const text = readFileSync(join(folder, file), 'utf8');
      writeFileSync(join(folder, file), await this.addresses.rewritten(text, network));
    }
    return folder;
  }

  private imageOf({ target }: Service): Image | undefined {
    if (target === undefined) return undefined;
    const image = this.images.get(target) ?? imageOf(target, join(this.folder, 'images', target));
    this.images.set(target, image);
    return image;
  }
}
