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

/** The credential of the bank-facing API and of the sandbox's staff, made at the first start. */
export function bankCredential(dataDir: string): Promise<string> {
  return kept(dataDir, 'bank-credential', () => randomBytes(32).toString('base64url'));
}

/** The credential of the bank's customer authentication, made at the first start. */
export function signOnCredential(dataDir: string): Promise<string> {
  return kept(dataDir, 'sign-on-credential', () => randomBytes(32).toString('base64url'));
}

/** The key under which the authorization server keeps its signing keys, made at the first start: 64 hexadecimal digits. */
export function keyEncryptionKey(dataDir: string): Promise<string> {
  return kept(dataDir, 'key-encryption-key', () => randomBytes(32).toString('hex'));
}

/** The key of the public ids, made at the first start: ids stay the same as long as it is there. */
export function idKey(dataDir: string): Promise<string> {
  return kept(dataDir, 'id-key', () => randomBytes(32).toString('base64url'));
}

/** The key that signs the decision trail, made at the first start. */
export function trailKey(dataDir: string): Promise<string> {
  return kept(dataDir, 'trail-key', () => randomBytes(32).toString('base64url'));
}

/** The key of the trail's pseudonyms, made at the first start. */
export function pseudonymKey(dataDir: string): Promise<string> {
  return kept(dataDir, 'pseudonym-key', () => randomBytes(32).toString('base64url'));
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
