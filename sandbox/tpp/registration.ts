import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../src/clock/clock.js';
import { publicPart } from '../bank/issuer.js';
import { type Software, sandboxOrganisation, sandboxSoftwareName } from '../directory/software.js';
import { FaultyStart, codeOf, unusable } from '../faulty-start.js';
import { type SandboxPki, readJwk } from '../pki/kept-pki.js';
import type { SandboxConfig } from '../sandbox.config.js';
import { BankClient, type BankPlace, textAt } from './bank.client.js';

/** As what we are known, at the directory and at the bank. */
interface Registered {
  readonly softwareId: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

export interface RegistrationParts {
  readonly place: BankPlace;
  readonly pki: SandboxPki;
  /** Where it is kept as what we are known. */
  readonly file: string;
  readonly directoryUrl: string;
  /** The directory takes software from those who have it. */
  readonly directoryCredential: string;
  readonly clock: Clock;
}

export function bankPlace({ browserUrl, mtlsUrl, tppUrl }: SandboxConfig): BankPlace {
  return { issuer: `${browserUrl}/as`, tppUrl: mtlsUrl, redirectUri: redirectUri(tppUrl) };
}

/** Where the bank sends customers back to. */
export function redirectUri(tppOrigin: string): string {
  return `${tppOrigin}/callback`;
}

export function registrationFile(dataDir: string): string {
  return join(dataDir, 'sandbox', 'tpp.json');
}

/** The bank as it knows us; for who finds us registered. */
export async function openRegistered(place: BankPlace, pki: SandboxPki, file: string): Promise<BankClient> {
  const kept = await read(file);
  if (kept === undefined)
    throw new FaultyStart(
      'the TPP is not registered with the bank: start the stack with npm start, without AUTHORISATION_SERVER=none',
    );
  return BankClient.open({ ...place, clientId: kept.clientId }, pki);
}

/**
 * The bank as it knows us. Where it does not, or under another redirect URI, we have ourselves stated by the directory and
 * register by that statement.
 */
export async function openBank(parts: RegistrationParts): Promise<BankClient> {
  const { place, pki, file } = parts;
  const kept = await read(file);
  const softwareId = kept?.softwareId ?? randomBytes(11).toString('hex');
  const client = await BankClient.open({ ...place, clientId: kept?.clientId ?? softwareId }, pki);
  try {
    const known = kept !== undefined && (await client.isKnown());
    if (known && kept.redirectUri === place.redirectUri) return client;
    const software = { id: softwareId, statement: await softwareStatement(softwareId, parts) };
    const clientId = await client.register(software, known ? 'PUT' : 'POST', parts.clock.nowMs());
    await keep(file, { softwareId, clientId, redirectUri: place.redirectUri });
  } catch (error) {
    await client.close();
    throw error;
  }
  await client.close();
  return openRegistered(place, pki, file);
}

async function softwareStatement(softwareId: string, parts: RegistrationParts): Promise<string> {
  const { place, pki, directoryUrl, directoryCredential } = parts;
  const software: Software = {
    softwareId,
    clientName: sandboxSoftwareName,
    description: 'Shows what the sandbox bank has of you.',
    clientUri: new URL(place.redirectUri).origin,
    redirectUris: [place.redirectUri],
    organisation: sandboxOrganisation,
    jwks: { keys: [publicPart(await readJwk(pki.tppSigningKeyFile))] },
  };
  const answer = await fetch(`${directoryUrl}/software-statements`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${directoryCredential}` },
    body: JSON.stringify(software),
  }).catch(() => {
    throw new FaultyStart(`nothing answers at ${new URL(directoryUrl).origin}: start the stack with npm start`);
  });
  const statement = textAt(await answer.json(), 'software_statement');
  if (statement === undefined) throw new FaultyStart(`the directory at ${directoryUrl} answered ${answer.status}`);
  return statement;
}

async function read(file: string): Promise<Registered | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Registered;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError)
      throw new FaultyStart(`${file} cannot be read as a registration: remove it, and the TPP registers anew`);
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
