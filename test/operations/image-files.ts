import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';

/** The parts of a stage of the Dockerfile that a container runs by. */
export interface Image {
  /** Holds the files of its `/app`. */
  readonly folder: string;
  /** Their paths. */
  readonly files: ReadonlySet<string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  /** Absent where only docker-compose.yml has one. */
  readonly healthcheck?: readonly string[];
  /** Paths that are volumes also where docker-compose.yml mounts none there. */
  readonly volumes: readonly string[];
}

/**
 * A stage of the Dockerfile, from the built `dist/`: the files that its COPY instructions name and nothing else, and of the
 * packages those that `npm ci --omit=dev --omit=optional` installs, as links.
 */
export function imageOf(target: string, folder: string): Image {
  const instructions = instructionsOf(target);
  const all = (word: string): string[] =>
    instructions.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
  mkdirSync(folder, { recursive: true });
  linkPackages(join(folder, 'node_modules'));
  for (const words of all('COPY')) copy(words.replace(/^--from=build /, '').replaceAll('/app/', ''), folder);
  const words = (text: string | undefined): string[] =>
    JSON.parse(/\[.*\]$/.exec(text ?? '[]')?.[0] ?? '[]') as string[];
  const [healthcheck] = all('HEALTHCHECK');
  return {
    folder,
    files: new Set(filesIn(folder)),
    environment: Object.fromEntries(all('ENV').flatMap((line) => line.split(' ').map((one) => one.split('=')))),
    entrypoint: words(all('ENTRYPOINT')[0]),
    command: words(all('CMD')[0]),
    ...(healthcheck !== undefined && { healthcheck: words(healthcheck) }),
    volumes: all('VOLUME'),
  };
}

/** The paths in a folder, without those behind links. */
export function filesIn(folder: string): readonly string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found.map(({ parentPath, name }) => join(parentPath, name));
}

/** The instructions of a stage after those of the stage on which it is built. */
function instructionsOf(target: string): string[] {
  const text = readFileSync(join(packageRoot(), 'Dockerfile'), 'utf8').replaceAll(/ \\\n\s*/g, ' ');
  const [, base = '', lines] =
    new RegExp(`^FROM (\\S+) AS ${target}\\n([^]*?)(?=^FROM |(?![^]))`, 'm').exec(text) ?? [];
  if (lines === undefined) return [];
  return [...instructionsOf(base), ...lines.split('\n')];
}

function copy(words: string, folder: string): void {
  const paths = words.split(' ');
  const target = paths.pop() ?? '';
  for (const path of paths) {
    const to = join(folder, target.endsWith('/') ? join(target, path) : target);
    if (path.startsWith('node_modules/'))
      for (const name of readdirSync(join(packageRoot(), path))) link(join(path, name), to);
    else cpSync(join(packageRoot(), path), to, { recursive: true });
  }
}

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

function linkPackages(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(packageRoot(), 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  for (const [path, { dev, devOptional, optional }] of Object.entries(packages)) {
    const [, scope = ''] = /^node_modules\/(@[^/]+)?\/?[^/]+$/.exec(path) ?? [undefined, '-'];
    if (scope !== '-' && !dev && !devOptional && !optional) link(path, join(folder, scope));
  }
}

/** Puts a link to a package into a folder, unless it is there. */
function link(path: string, folder: string): void {
  const to = join(folder, basename(path));
  mkdirSync(folder, { recursive: true });
  if (!existsSync(to)) symlinkSync(join(packageRoot(), path), to);
}
