import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { makeSigningKey } from '../bank/issuer.js';
import { sandboxOrganisation } from '../directory/software.js';
import { FaultyStart, codeOf, unusable } from '../faulty-start.js';
import { readKeptJson, writeFolder } from '../kept-file.js';
import type { KeyPair } from './authority.js';

export const localHosts = ['localhost', '127.0.0.1', '::1'] as const;

/** The sandbox's own certificates and keys: made at the first start, kept under the data directory, never published. */
export type SandboxPki = ReturnType<typeof pkiFiles>;

/** The paths of the files. It reads and makes nothing. */
export function pkiFiles(dataDir: string) {
  const file = (name: string): string => join(dataDir, 'sandbox', 'pki', name);
  const pair = (name: string) => ({ certificateFile: file(`${name}.crt`), keyFile: file(`${name}.key`) });
  return {
    /** The authority of all the certificates here. */
    authorityFile: file('authority.crt'),
    authorityKeyFile: file('authority.key'),
    /** For the gateway's TLS listeners on this machine. */
    gateway: pair('gateway'),
    /** The sandbox TPP's transport certificate, and the private key with which it signs, PS256. */
    tpp: pair('tpp'),
    tppSigningKeyFile: file('tpp-signing.jwk'),
    /** The private key with which the directory signs, PS256. */
    directoryKeyFile: file('directory.jwk'),
  } as const;
}

/**
 * Makes what {@link pkiFiles} names, at the first start. The folder appears under its name only when everything is in
 * it. Two processes that make it at once end up with the same files.
 */
export async function ensurePki(dataDir: string, nowMs: number): Promise<SandboxPki> {
  const folder = join(dataDir, 'sandbox', 'pki');
  try {
    if (!(await exists(folder))) await create(folder, nowMs);
  } catch (error) {
    throw unusable(folder, error);
  }
  return pkiFiles(dataDir);
}

export async function readJwk(file: string): Promise<JWK> {
  const jwk = await readKeptJson<JWK>(file, 'as a key: remove its folder, and the next start makes new ones');
  if (jwk !== undefined) return jwk;
  throw new FaultyStart(`${file} is missing: remove its folder, and the next start makes new keys`);
}

async function create(folder: string, nowMs: number): Promise<void> {
  // RSA keys take longest, so other threads generate them while the rest is made.
  const signingKeys = Promise.all([makeSigningKey('PS256'), makeSigningKey('PS256')]);
  // Loaded only to make certificates, which happens once: no other start waits for it.
  const { Authority } = await import('./authority.js');
  const authority = await Authority.make(nowMs);
  const pairs: Readonly<Record<string, KeyPair>> = {
    authority: authority.pair,
    gateway: await authority.server(localHosts),
    tpp: await authority.tpp(sandboxOrganisation),
  };
  const [tppSigning, directory] = await signingKeys;
  const keys: Readonly<Record<string, JWK>> = { 'tpp-signing': tppSigning, directory };
  const files: Record<string, string> = {};
  for (const [name, { certificate, key }] of Object.entries(pairs)) {
    files[`${name}.crt`] = certificate;
    files[`${name}.key`] = key;
  }
  for (const [name, key] of Object.entries(keys)) files[`${name}.jwk`] = JSON.stringify(key);
  try {
    await writeFolder(folder, files);
  } catch (error) {
    // The folder of a faster process stays.
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  }
}

async function exists(folder: string): Promise<boolean> {
  try {
    await stat(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
