import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../src/clock/clock.js';
import { publicPart } from '../bank/issuer.js';
import { DirectoryClient } from '../directory/directory.client.js';
import { sandboxOrganisation, sandboxSoftwareName } from '../directory/software.js';
import { FaultyStart, codeOf, unusable } from '../faulty-start.js';
import { type SandboxPki, readJwk } from '../pki/kept-pki.js';
import type { SandboxConfig } from '../sandbox.config.js';
import type { BankEndpoint } from './bank-connection.js';
import { BankClient } from './bank.client.js';

/** The names under which the directory and the bank know this TPP. */
interface Registered {
  readonly softwareId: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

export interface RegistrationParts {
  readonly endpoint: BankEndpoint;
  readonly pki: SandboxPki;
  /** The file that keeps those names. */
  readonly file: string;
  readonly directoryUrl: string;
  /** The credential with which the directory accepts software. */
  readonly directoryCredential: string;
  readonly clock: Clock;
}

export function bankEndpoint({ browserUrl, mtlsUrl, tppUrl }: SandboxConfig): BankEndpoint {
  return { issuer: `${browserUrl}/as`, tppUrl: mtlsUrl, redirectUri: redirectUri(tppUrl) };
}

/** Where the bank sends customers back to. */
export function redirectUri(tppOrigin: string): string {
  return `${tppOrigin}/callback`;
}

export function registrationFile(dataDir: string): string {
  return join(dataDir, 'sandbox', 'tpp.json');
}

/** Opens the bank for a TPP that is registered already. */
export async function openRegistered(endpoint: BankEndpoint, pki: SandboxPki, file: string): Promise<BankClient> {
  const kept = await read(file);
  if (kept === undefined)
    throw new FaultyStart(
      'the TPP is not registered with the bank: start the stack with npm start, without AUTHORISATION_SERVER=none',
    );
  return BankClient.open({ ...endpoint, clientId: kept.clientId }, pki);
}

/**
 * Opens the bank. Where the bank does not know this TPP, or knows another redirect URI, the TPP first gets a statement
 * from the directory and registers by it.
 */
export async function openBank(parts: RegistrationParts): Promise<BankClient> {
  const { endpoint, pki, file } = parts;
  const kept = await read(file);
  const softwareId = kept?.softwareId ?? randomBytes(11).toString('hex');
  const client = await BankClient.open({ ...endpoint, clientId: kept?.clientId ?? softwareId }, pki);
  try {
    const known = kept !== undefined && (await client.isKnown());
    if (known && kept.redirectUri === endpoint.redirectUri) return client;
    const software = { id: softwareId, statement: await softwareStatement(softwareId, parts) };
    const clientId = await client.register(software, known ? 'PUT' : 'POST', parts.clock.nowMs());
    await keep(file, { softwareId, clientId, redirectUri: endpoint.redirectUri });
  } catch (error) {
    await client.close();
    throw error;
  }
  await client.close();
  return openRegistered(endpoint, pki, file);
}

async function softwareStatement(softwareId: string, parts: RegistrationParts): Promise<string> {
  const { endpoint, pki, directoryUrl, directoryCredential } = parts;
  return new DirectoryClient(directoryUrl, directoryCredential).statement({
    softwareId,
    clientName: sandboxSoftwareName,
    description: 'Shows your accounts at the sandbox bank.',
    clientUri: new URL(endpoint.redirectUri).origin,
    redirectUris: [endpoint.redirectUri],
    organisation: sandboxOrganisation,
    jwks: { keys: [publicPart(await readJwk(pki.tppSigningKeyFile))] },
  });
}

async function read(file: string): Promise<Registered | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Registered;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError)
      throw new FaultyStart(`${file} cannot be read as a registration: remove it, and the TPP registers again`);
    throw unusable(file, error);
  }
}

async function keep(file: string, registered: Registered): Promise<void> {
  try {
    await writeFile(`${file}.draft`, JSON.stringify(registered), { mode: 0o600, flush: true });
    await rename(`${file}.draft`, file);
  } catch (error) {
    throw unusable(file, error);
  }
}
