import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { commandSettings } from '../../src/config/bank-address.js';
import { Environment } from '../../src/config/environment.dto.js';
import { isSecretSetting } from '../../src/config/secrets.js';
import { feedVariables } from '../../src/core-banking/adapters/feed/feed.settings.js';
import { fineractVariables } from '../../src/core-banking/adapters/fineract/fineract.settings.js';
import { sqlVariables } from '../../src/core-banking/adapters/sql/sql.settings.js';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

/** Name and value, whether the line is commented out or not, and whether a line of explanation stands above. */
const example = new Map(
  [...read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
const gateway = new Environment() as unknown as Readonly<Record<string, string | number | undefined>>;
const sandbox = [...read('sandbox/sandbox.config.ts').matchAll(/set\('([A-Z_]+)'\)/g)].map(([, name = '']) => name);

describe('.env.example', () => {
  it.each(Object.keys(gateway))('names %s, with its default', (name) => {
    const shown = example.get(name);
    expect(shown).toBeDefined();
    if (gateway[name] !== undefined) expect(shown).toBe(String(gateway[name]));
  });

  it('names every setting of the sandbox', () => {
    expect(sandbox.length).toBeGreaterThan(5);
    expect([...example.keys()]).toEqual(expect.arrayContaining(sandbox));
  });

  it('names every setting of the commands', () => {
    expect([...example.keys()]).toEqual(
      expect.arrayContaining([...commandSettings, 'RETENTION_DAYS', 'TRAIL_RETENTION_DAYS']),
    );
  });

  it('names every setting of the cores in the repository', () => {
    expect([...example.keys()]).toEqual(
      expect.arrayContaining([...fineractVariables, ...sqlVariables, ...feedVariables]),
    );
  });

  it('contains no credential', () => {
    for (const name of [...example.keys()].filter((one) => isSecretSetting(one) || one === 'POSTGRES_PASSWORD'))
      expect(example.get(name)).toBe('');
  });
});

interface Service {
  readonly build?: { readonly target: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: readonly string[];
  readonly stop_grace_period: string;
}

describe('docker-compose.yml', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Readonly<Record<string, Service>>;
  };

  /** The services of other products have other settings. */
  const others: Readonly<Record<string, RegExp>> = {
    postgres: /^POSTGRES_/,
    'fineract-postgres': /^POSTGRES_/,
    fineract: /^(FINERACT|JAVA)_/,
    grafana: /^GF_/,
    clickhouse: /^CLICKHOUSE_/,
    collector: /^(COLLECTOR|CLICKHOUSE)_/,
    'trail-agent': /^(TRAIL_DIR$|COLLECTOR_)/,
  };
  const ours = [...Object.keys(gateway), ...sandbox, 'OPERATOR_CREDENTIAL'];

  it.each(Object.entries(services))(
    'gives %s only settings that exist, and no credential',
    (name, { environment = {} }) => {
      const core = environment.CORE === 'fineract' ? fineractVariables : [];
      const known = others[name] ?? new RegExp(`^(${[...ours, ...core].join('|')})$`);
      for (const [setting, value] of Object.entries(environment)) {
        expect(setting).toMatch(known);
        // From .env: mandatory, or without a value.
        if (/(CREDENTIAL|KEY|PASSWORD|PWD|SECRET)(?!.*_FILE$)/.test(setting))
          expect(value).toMatch(/^\$\{\w+(:\?.+|:-)?\}$/);
        if (setting === 'DATABASE_URL') expect(value).toContain(':${POSTGRES_PASSWORD}@');
      }
    },
  );

  it.each(Object.entries(services).filter(([, { build }]) => build && build.target !== 'operations'))(
    'lets %s listen on every address of its container, for other containers and the ports of this machine',
    (_name, { build, environment = {} }) => {
      for (const setting of build?.target === 'gateway' ? ['HOST', 'BANK_HOST'] : ['SANDBOX_HOST'])
        expect([setting, environment[setting]]).toEqual([setting, '0.0.0.0']);
    },
  );

  it.each(Object.entries(services).filter(([name]) => name.startsWith('gateway')))(
    'gives %s every other setting of .env, and the time that it takes to stop with the defaults',
    (_name, { env_file: files, stop_grace_period: grace }) => {
      expect(files).toEqual(['.env']);
      // Requests under way may take 15 seconds, and the reader of the log two.
      expect(Number.parseInt(grace)).toBeGreaterThan(Number(gateway['STOP_DELAY_SECONDS']) + 15 + 2);
    },
  );
});
