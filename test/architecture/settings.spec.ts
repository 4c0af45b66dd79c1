import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oidcVariables } from '../../src/customer-authentication/adapters/oidc/oidc.settings.js';
import { isSecretSetting, settings } from '../../src/config/setting-names.js';
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

  it('have each setting that the adapter oidc reads, and no other of it', () => {
    const source = read('src/customer-authentication/adapters/oidc/oidc.settings.ts');
    const names = [...source.matchAll(/\$\{prefix\}([A-Z_]+)|'([A-Z_]+_FILE)'/g)].map(([, one, other]) => one ?? other);
    const declared = Object.keys(oidcVariables).map((name) => name.replace('CUSTOMER_AUTHENTICATION_', ''));
    expect(new Set(declared)).toEqual(new Set(names.filter((name) => name !== 'CREDENTIAL')));
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
