import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSecretSetting, secretSettings, settingNames } from './setting-names.js';
import { withFiles } from './setting-files.js';
import { refuseWeakSecrets, weaknessOf } from './weak-secrets.js';

describe('a setting', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const file = async (content: string): Promise<string> => {
    const path = join(folder, 'secret');
    await writeFile(path, content);
    return path;
  };
  const read = (given: Record<string, string>): [Readonly<Record<string, string>>, string[]] => {
    const faults: string[] = [];
    return [withFiles(given, faults), faults];
  };

  it.each([...settingNames, 'CORE_PASSWORD', 'CORE_CLIENT_SECRET', 'CORE_API_TOKEN', 'CORE_PARTNER_CREDENTIAL'])(
    'may be in a file: %s',
    async (name) => {
      for (const [content, value] of [
        ['a secret', 'a secret'],
        ['a secret\n', 'a secret'],
        ['a secret\r\n', 'a secret'],
        ['a secret\n\n', 'a secret\n'],
        [' a secret ', ' a secret '],
      ] as const) {
        const [settings, faults] = read({ [`${name}_FILE`]: await file(content) });
        expect([settings[name], faults]).toEqual([value, []]);
      }
    },
  );

  it('may not be given twice, nor in a file without a value', async () => {
    const path = await file('x');
    expect(read({ ID_KEY: 'a', ID_KEY_FILE: path })[1]).toEqual([
      'ID_KEY and ID_KEY_FILE exclude each other: set one of them',
    ]);
    expect(read({ ID_KEY_FILE: join(folder, 'absent') })[1]).toEqual([
      `ID_KEY_FILE "${join(folder, 'absent')}" cannot be read: name a readable file that holds the value of ID_KEY`,
    ]);
    expect(read({ ID_KEY_FILE: folder })[1]).toHaveLength(1);
    expect(read({ ID_KEY_FILE: await file('\n') })[1]).toEqual([
      `ID_KEY_FILE "${path}" is empty: write the value of ID_KEY into it`,
    ]);
  });

  it('whose value is the path of a file keeps it, and so does the variable of another program', () => {
    const given = { TPPS_FILE: '/b', TLS_KEY_FILE: '/c', HOME_FILE: '/d', CORE_CA_FILE: '/no/such/file' };
    expect(read(given)).toEqual([given, []]);
  });

  it('of an adapter may be in a file too: the adapter finds the path, and the content without _FILE', async () => {
    const path = await file('europe-2\n');
    expect(read({ CORE_REGION_FILE: path })).toEqual([{ CORE_REGION_FILE: path, CORE_REGION: 'europe-2' }, []]);
    expect(read({ CORE_REGION_FILE: path, CORE_REGION: 'own' })[0]['CORE_REGION']).toBe('own');
  });
});

describe('a secret', () => {
  it('of the gateway or an adapter is recognised by its name', () => {
    expect(secretSettings).toEqual(expect.arrayContaining(['ID_KEY', 'BANK_CREDENTIAL', 'DATABASE_URL']));
    expect(['CORE_PASSWORD', 'CORE_TOKEN_URL', 'CORE_URL'].map(isSecretSetting)).toEqual([true, false, false]);
  });

  it.each([
    ['0'.repeat(64), 'has fewer than 8 different characters'],
    ['a1b2c3'.repeat(8), 'has fewer than 8 different characters'],
    ['0123456789abcdef'.repeat(2), 'repeats itself'],
    ['0123456789abcdef'.repeat(4).slice(0, 60), 'repeats itself'],
    ['changeme-0f8a7b6c5d4e3f2a1b0c9d8e7f', 'is a placeholder'],
    ['Change_Me_0f8a7b6c5d4e3f2a1b0c9d8e7f', 'is a placeholder'],
    ['secret-0f8a7b6c5d4e3f2a1b0c9d8e7f6a', 'is a placeholder'],
    ['password0f8a7b6c5d4e3f2a1b0c9d8e7f6a', 'is a placeholder'],
    ['your-credential-0f8a7b6c5d4e3f2a1b0c', 'is a placeholder'],
  ])('is weak: %s %s', (value, weakness) => {
    expect(weaknessOf(value)).toBe(weakness);
    const faults: string[] = [];
    refuseWeakSecrets({ BANK_CREDENTIAL: value, CORE_PASSWORD: 'mifos' }, faults);
    expect(faults).toEqual([`BANK_CREDENTIAL ${weakness}: make one with \`openssl rand -hex 32\``]);
  });

  it('is strong when it is made by the command of the message', () => {
    for (let time = 0; time < 1_000; time++) {
      expect(weaknessOf(randomBytes(32).toString('hex'))).toBeUndefined();
      expect(weaknessOf(randomBytes(24).toString('base64url'))).toBeUndefined();
    }
  });

  it('is checked in each place of a list', () => {
    const faults: string[] = [];
    const strong = randomBytes(32).toString('hex');
    refuseWeakSecrets({ PSEUDONYM_KEY: `${strong},${'0'.repeat(64)}` }, faults);
    expect(faults).toEqual([
      'PSEUDONYM_KEY has fewer than 8 different characters: make one with `openssl rand -hex 32`',
    ]);
  });

  it('may have one use only, and one place of a list', () => {
    const [one, other] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    const faults: string[] = [];
    refuseWeakSecrets(
      { ID_KEY: one, BANK_CREDENTIAL: `${other},${other}`, CORE_PASSWORD: one, CORE_TENANT: one },
      faults,
    );
    expect(faults).toEqual([
      'BANK_CREDENTIAL has one secret twice: remove one of them',
      'CORE_PASSWORD and ID_KEY are equal: a person who learns one would have both; make one with `openssl rand -hex 32`',
    ]);
  });
});
