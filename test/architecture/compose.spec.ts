import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { pkiFiles } from '../../sandbox/pki/kept-pki.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { sandboxSettings } from '../../sandbox/sandbox-settings.js';
import { stackEnvironment } from '../../sandbox/stack-environment.js';
import { readOperatorAddress } from '../../src/config/bank-address.js';
import { loadConfig } from '../../src/config/load-config.js';
import { settings } from '../../src/config/setting-names.js';
import { packageRoot } from '../../src/persistence/package-root.js';

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly user?: string;
}

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');
const servicesOf = (file: string): Readonly<Record<string, Service>> =>
  (parse(read(file), { merge: true }) as { services: Record<string, Service> }).services;
const overlays = ['compose.fineract.yaml', 'compose.observability.yaml'];
const stack = servicesOf('docker-compose.yml');
const files = ['docker-compose.yml', ...overlays];
const services = files.flatMap((file) =>
  Object.entries(servicesOf(file)).map(([name, one]) => ({ file, name, ...one })),
);
const own = services.filter(({ file, name }) => file === 'docker-compose.yml' || stack[name] === undefined);

describe.each(own)('the container $name of $file', (service) => {
  it('has no right, no place to write and no more memory than it needs', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      stop_grace_period: expect.stringMatching(/^\d+s$/),
    });
    expect(service).not.toHaveProperty('env_file');
    expect(service).not.toHaveProperty('network_mode');
    expect(service).not.toHaveProperty('cap_add');
  });

  it('is published on the loopback address of this machine alone', () => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

describe('the containers', () => {
  it('run as root only where a line says why', () => {
    const text = files.map(read).join('\n');
    for (const [, above] of text.matchAll(/(.*)\n *user: '?(?:0|root)\b/g))
      expect(above).toMatch(/^ +# Root .*because/);
    expect(own.filter(({ user }) => /^(0|root)\b/.test(user ?? '')).map(({ name }) => name)).toEqual(['collector']);
  });

  it('get only the secrets that they need, and each password is for one use', () => {
    const secretsOf = ({ environment = {} }: Service) =>
      [...JSON.stringify(environment).matchAll(/\$\{(\w*(?:CREDENTIAL|KEY|PASSWORD))\b/g)].map(([, name]) => name);
    const given = services.map((one) => [one.name, [...new Set(secretsOf(one))].sort()] as const);
    expect(given.filter(([, secrets]) => secrets.length > 0)).toEqual([
      ['postgres', ['POSTGRES_PASSWORD']],
      [
        'sandbox',
        [
          'BANK_CREDENTIAL',
          'CUSTOMER_AUTHENTICATION_CREDENTIAL',
          'ID_KEY',
          'KEY_ENCRYPTION_KEY',
          'POSTGRES_PASSWORD',
          'PSEUDONYM_KEY',
          'TRAIL_KEY',
        ],
      ],
      ['ops', ['BANK_CREDENTIAL', 'OPERATOR_CREDENTIAL', 'POSTGRES_PASSWORD', 'PSEUDONYM_KEY', 'TRAIL_KEY']],
      ['sandbox', ['CORE_PASSWORD']],
      ['fineract', ['FINERACT_POSTGRES_PASSWORD']],
      ['fineract-postgres', ['FINERACT_POSTGRES_PASSWORD']],
      ['collector', ['CLICKHOUSE_PASSWORD']],
      ['clickhouse', ['CLICKHOUSE_PASSWORD']],
    ]);
  });
});

describe('deploy/make-env.sh', () => {
  let folder: string;
  let made: Readonly<Record<string, string | undefined>>;
  /** The environment of a service as Compose gives it to the container. */
  const environmentOf = (name: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(stack[name]?.environment ?? {}).map(([setting, value]) => [
        setting,
        String(value).replace(
          /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
          (_, from: string, otherwise = '') => made[from] ?? otherwise,
        ),
      ]),
    );

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'make-env-'));
    cpSync(join(packageRoot(), 'deploy/make-env.sh'), join(folder, 'deploy/make-env.sh'));
    execFileSync(join(folder, 'deploy/make-env.sh'), { cwd: '/' });
    made = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes a separate secret for each that the files demand, for its user alone', () => {
    const demanded = new Set(
      [
        ...files
          .map(read)
          .join('')
          .matchAll(/\$\{(\w+):\?/g),
      ].map(([, name]) => name),
    );
    expect(Object.keys(made).sort()).toEqual([...demanded].sort());
    for (const secret of Object.values(made)) expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(Object.values(made)).size).toBe(demanded.size);
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  });

  it('replaces no .env', () => {
    const { status, stderr } = spawnSync(join(folder, 'deploy/make-env.sh'), { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('.env exists already')]);
    expect(parseEnv(readFileSync(join(folder, '.env'), 'utf8'))).toEqual(made);
  });

  it('gives the gateway settings that exist and that it accepts, and the operators’ commands its address', () => {
    const environment = environmentOf('sandbox');
    const known = [...settings, ...sandboxSettings].map(({ name }) => name);
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    const config = readSandboxConfig({ ...environment, DATA_DIR: folder });
    const { BANK_CREDENTIAL: bankCredential = '', ID_KEY: idKey = '', TRAIL_KEY: trailKey = '' } = environment;
    const { PSEUDONYM_KEY: pseudonymKey = '', KEY_ENCRYPTION_KEY: keyEncryptionKey = '' } = environment;
    const signOnCredential = environment['CUSTOMER_AUTHENTICATION_CREDENTIAL'] ?? '';
    const embedded = { pki: pkiFiles(folder), keyEncryptionKey, signOnCredential };
    expect(
      loadConfig(stackEnvironment(config, { bankCredential, idKey, trailKey, pseudonymKey, embedded })),
    ).toMatchObject({});
    expect(readOperatorAddress(environmentOf('ops')).origin).toBe('http://sandbox:3001');
  });
});

describe('the ports of README.md', () => {
  const rows = [...read('README.md').matchAll(/^\| (\d{4}) +\| `(\w+)` +\|/gm)].map(([, port, name]) => [name, port]);

  it('are those of npm start and of docker compose, which take another from the same setting', () => {
    expect(rows).toHaveLength(7);
    const defaults = Object.fromEntries(
      [...settings, ...sandboxSettings].map(({ name, byDefault }) => [name, byDefault]),
    );
    expect(rows).toEqual(rows.map(([name = '']) => [name, defaults[name]]));
    const published = stack['sandbox']?.ports?.map((port) => /^127\.0\.0\.1:\$\{(\w+):-(\d+)\}:/.exec(port)?.slice(1));
    expect(published).toEqual(rows.map(([name, port]) => [name, port]));
  });
});
