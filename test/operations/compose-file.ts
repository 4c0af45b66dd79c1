import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../src/persistence/package-root.js';

/** Debian's docker-compose, without Docker: it can render the file, and run nothing. Version 2 renders it in another form. */
export const hasDockerCompose = /version 1\./.test(
  spawnSync('docker-compose', ['--version'], { encoding: 'utf8' }).stdout ?? '',
);

/** A service as docker-compose renders it. */
export interface Service {
  readonly name: string;
  readonly image: string;
  /** Absent where it runs with each of them, and without one. */
  readonly profiles?: readonly string[];
  /** The stage of the Dockerfile, for an image of ours. */
  readonly target?: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The condition of each service that must be there first. */
  readonly dependsOn: Readonly<Record<string, string>>;
  /** A command line, or one for a shell. */
  readonly healthcheck?: readonly string[];
  /** The service whose network it has. */
  readonly network: string;
  /** Ports of this machine, with those of the network to which they lead. */
  readonly ports: ReadonlyMap<number, number>;
  /** Names of volumes or paths of files, by the path at which they are mounted. */
  readonly mounts: ReadonlyMap<string, string>;
}

interface Rendered {
  readonly image: string;
  readonly build?: { readonly target: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly volumes?: readonly string[];
}

/** The services of docker-compose.yml with all profiles. @param folder with the file `.env` */
export function composed(folder: string): readonly Service[] {
  const profiles = dockerCompose(folder, 'config', '--profiles').trim().split('\n');
  const text = dockerCompose(folder, ...profiles.flatMap((name) => ['--profile', name]), 'config');
  // It prints a compose file again, where two dollar signs stand for one.
  const { services } = parse(text.replaceAll('$$', '$')) as { services: Readonly<Record<string, Rendered>> };
  return Object.entries(services).map(([name, service]) => serviceOf(name, service));
}

function dockerCompose(folder: string, ...words: readonly string[]): string {
  const options = ['--file', join(packageRoot(), 'docker-compose.yml'), '--project-directory', folder];
  return execFileSync('docker-compose', [...options, ...words], { encoding: 'utf8' });
}

function serviceOf(name: string, given: Rendered): Service {
  const {
    image,
    build,
    command,
    environment = {},
    depends_on: dependsOn = {},
    healthcheck,
    network_mode: mode,
    profiles,
  } = given;
  const ports = (given.ports ?? []).map(
    (port) => /^127\.0\.0\.1:(\d+):(\d+)\/tcp$/.exec(port)?.slice(1).map(Number) ?? [],
  );
  const mounts = (given.volumes ?? []).map((volume) => volume.split(':'));
  return {
    name,
    image,
    ...(profiles && { profiles }),
    ...(build && { target: build.target }),
    ...(command && { command }),
    environment: Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)])),
    dependsOn: Object.fromEntries(Object.entries(dependsOn).map(([needed, { condition }]) => [needed, condition])),
    ...(healthcheck && { healthcheck: healthcheck.test }),
    network: mode?.replace('service:', '') ?? name,
    ports: new Map(ports.map(([published = 0, target = 0]) => [published, target])),
    mounts: new Map(mounts.map(([source = '', target = '']) => [target, source])),
  };
}
