import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { sandboxSettings } from '../../sandbox/sandbox-settings.js';
import { isSecretSetting, settings } from '../../src/config/setting-names.js';
import { fineractVariables } from '../../src/core-banking/adapters/fineract/fineract.settings.js';
import { settingsFile, settingsPage } from '../../tools/build/settings-page.js';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

describe('the settings', () => {
  it('are at most 75, each declared once, of which a production operator decides 12', () => {
    expect(settings.length).toBeLessThanOrEqual(75);
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
    expect(settings.filter(({ decided }) => decided)).toHaveLength(12);
  });

  it('are those of docs/operate/settings.md: npm run settings writes it', () => {
    expect(readFileSync(settingsFile, 'utf8')).toBe(settingsPage());
  });
});

/** Each name with its value, whether the line is commented out or not, and the line above. */
const example = [...read('.env.example').matchAll(/^(.*)\n(?:# )?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
  ([, above = '', name = '', value = '']) => ({ above, name, value }),
);

describe('.env.example', () => {
  it('has the settings that a production operator decides and no other, each under a sentence', () => {
    const decided = settings.filter((one) => one.decided).map(({ name }) => name);
    expect(example.map(({ name }) => name).sort()).toEqual(decided.sort());
    for (const { above } of example) expect(above).toMatch(/^# [A-Z`].*\.$/);
  });

  it('has an empty line for each secret, which the operator fills in, and contains no secret', () => {
    for (const { name, value } of example)
      if (isSecretSetting(name) && name !== 'DATABASE_URL') expect([name, value]).toEqual([name, '']);
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
  const ours = [...settings, ...sandboxSettings].map(({ name }) => name);

  it.each(Object.entries(services))(
    'gives %s only settings that exist, and no credential',
    (name, { environment = {} }) => {
      const core = environment.CORE === 'fineract' ? Object.keys(fineractVariables) : [];
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

  it.each(Object.entries(services).filter(([, { build }]) => build && build.target !== 'ops'))(
    'lets %s listen on every address of its container, for other containers and the ports of this machine',
    (_name, { build, environment = {} }) => {
      for (const setting of build?.target === 'gateway' ? ['HOST', 'BANK_HOST'] : ['SANDBOX_HOST'])
        expect([setting, environment[setting]]).toEqual([setting, '0.0.0.0']);
    },
  );

  it.each(Object.entries(services).filter(([name]) => name.startsWith('gateway')))(
    'gives %s every other setting of .env, and the time that it takes to stop with the defaults',
    (_name, { env_file: files, stop_grace_period: grace }) => {
      const stopDelay = settings.find(({ name }) => name === 'STOP_DELAY_SECONDS')?.byDefault;
      expect(files).toEqual(['.env']);
      // Requests under way may take 15 seconds, and the reader of the log two.
      expect(Number.parseInt(grace)).toBeGreaterThan(Number(stopDelay) + 15 + 2);
    },
  );
});
