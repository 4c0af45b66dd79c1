import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultyStart } from './faulty-start.js';
import { bankCredentialFile, issuerKeys, keptSecret } from './secrets.js';

describe('the sandbox’s secrets', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-secrets-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are made once, differ, and are kept where only their owner reads them', async () => {
    const dataDir = join(folder, 'new');
    const [credential, key] = [await keptSecret(dataDir, 'bank-credential'), await keptSecret(dataDir, 'id-key')];
    expect(credential).not.toBe(key);
    expect(credential).toMatch(/^[\w-]{43}$/);
    expect([await keptSecret(dataDir, 'bank-credential'), await keptSecret(dataDir, 'id-key')]).toEqual([
      credential,
      key,
    ]);
    expect(await readFile(bankCredentialFile(dataDir), 'utf8')).toBe(credential);
    expect((await stat(join(dataDir, 'sandbox'))).mode & 0o777).toBe(0o700);
    expect((await stat(bankCredentialFile(dataDir))).mode & 0o777).toBe(0o600);
  });

  it('are the same for all who make them at once, and leave no drafts', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => keptSecret(folder, 'bank-credential')));
    expect(new Set(made).size).toBe(1);
    expect(await readdir(join(folder, 'sandbox'))).toEqual(['bank-credential']);
  });

  it('keep the issuer’s keys', async () => {
    const { keys } = await issuerKeys(folder);
    expect(keys.map(({ alg }) => alg)).toEqual(['PS256', 'ES256']);
    expect((await issuerKeys(folder)).keys).toEqual(keys);
  });

  it('that cannot be read are named, with the remedy', async () => {
    await keptSecret(folder, 'id-key');
    await writeFile(join(folder, 'sandbox', 'issuer-keys.json'), 'not keys');
    await expect(issuerKeys(folder)).rejects.toThrow(/issuer-keys\.json cannot be read as keys: remove it/);
    const file = join(folder, 'file');
    await writeFile(file, '');
    await chmod(file, 0o400);
    for (const odd of [file, join(file, 'below'), '/proc/nowhere', join(folder, 'x'.repeat(300))])
      await expect(keptSecret(odd, 'id-key')).rejects.toThrow(FaultyStart);
  });
});
