import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../src/persistence/make-folder.js';
import { makeIssuerKeys } from './bank/issuer.js';
import type { IssuerKeys } from './bank/issuer.js';
import { FaultyStart, codeOf, unusable } from './faulty-start.js';

/** Path of the bearer credential that the sandbox's processes share where none was set. */
export function bankCredentialFile(dataDir: string): string {
  return join(dataDir, 'sandbox', 'bank-credential');
}

/**
 * The secrets of the stack, by the names of their files. `bank-credential` is that of the bank-facing API and of the
 * sandbox's staff, `sign-on-credential` that of the bank's customer authentication. Under `key-encryption-key` the
 * authorization server keeps its signing keys. By `id-key` the public ids stay the same. `trail-key` signs the decision
 * trail, and `pseudonym-key` makes its pseudonyms.
 */
export type SecretName =
  'bank-credential' | 'sign-on-credential' | 'key-encryption-key' | 'id-key' | 'trail-key' | 'pseudonym-key';

/** A secret of the stack, made at the first start. */
export function keptSecret(dataDir: string, name: SecretName): Promise<string> {
  // The gateway reads the key encryption key as hexadecimal digits.
  const form = name === 'key-encryption-key' ? 'hex' : 'base64url';
  return kept(dataDir, name, () => randomBytes(32).toString(form));
}

/** The issuer's signing keys, made at the first start. */
export async function issuerKeys(dataDir: string): Promise<IssuerKeys> {
  const text = await kept(dataDir, 'issuer-keys.json', async () => JSON.stringify(await makeIssuerKeys()));
  try {
    return JSON.parse(text) as IssuerKeys;
  } catch {
    const file = join(dataDir, 'sandbox', 'issuer-keys.json');
    throw new FaultyStart(`${file} cannot be read as keys: remove it, and the next start makes new ones`);
  }
}

/**
 * The content of a file of the sandbox's own folder, made the first time. It appears under its name only when it is
 * whole, and of two processes that make it at once both end up with the same content.
 */
async function kept(dataDir: string, name: string, make: () => string | Promise<string>): Promise<string> {
  const folder = join(dataDir, 'sandbox');
  const file = join(folder, name);
  try {
    return (await readIfThere(file)) ?? (await create(folder, file, await make()));
  } catch (error) {
    throw unusable(file, error);
  }
}

async function create(folder: string, file: string, content: string): Promise<string> {
  await makeFolder(folder);
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flush: true });
    // Unlike a rename, a link never replaces what another process has put there first.
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(file, 'utf8');
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
