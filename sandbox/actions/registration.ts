import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../src/clock/clock.js';
import { publicPart } from '../bank/issuer.js';
import { BankClient } from '../clients/bank.client.js';
import type { BankEndpoint } from '../clients/bank-connection.js';
import type { Stack } from '../clients/stack.js';
import { type Software, sandboxOrganisation, sandboxSoftwareName } from '../directory/software.js';
import { FaultyStart } from '../faulty-start.js';
import { readKeptJson, replaceFile } from '../kept-file.js';
import { pkiFiles, readJwk } from '../pki/kept-pki.js';
import type { SandboxConfig } from '../sandbox.config.js';

/** The names under which the directory and the bank know the sandbox's TPP. */
interface TppRegistration {
  readonly softwareId: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

export function bankEndpoint({ browserUrl, mtlsUrl, tppUrl }: SandboxConfig): BankEndpoint {
  return { issuer: `${browserUrl}/as`, tppUrl: mtlsUrl, redirectUri: `${tppUrl}/callback` };
}

/** The file that keeps those names. */
export function registrationFile(dataDir: string): string {
  return join(dataDir, 'sandbox', 'tpp.json');
}

/** Opens the bank for the sandbox's TPP, which is registered already. */
export async function openRegistered(stack: Stack, clock?: Clock): Promise<BankClient> {
  const kept = await read(stack);
  if (kept === undefined)
    throw new FaultyStart(
      'the TPP is not registered with the bank: start the stack with npm start, without AUTHORISATION_SERVER=none',
    );
  return open(stack, kept.clientId, clock);
}

/**
 * Opens the bank for the sandbox's TPP. Where the bank does not know this TPP, or knows another redirect URI, the TPP
 * first gets a statement from the directory and registers by it.
 */
export async function openBank(stack: Stack, clock?: Clock): Promise<BankClient> {
  const { redirectUri } = bankEndpoint(stack.config);
  const kept = await read(stack);
  const softwareId = kept?.softwareId ?? randomBytes(11).toString('hex');
  const client = await open(stack, kept?.clientId ?? softwareId, clock);
  try {
    const isRegistered = kept !== undefined && (await client.isRegistered());
    if (isRegistered && kept.redirectUri === redirectUri) return client;
    const software = { id: softwareId, statement: await softwareStatement(stack, await softwareOf(stack, softwareId)) };
    const clientId = await client.register(software, isRegistered ? 'PUT' : 'POST');
    const registered: TppRegistration = { softwareId, clientId, redirectUri };
    await replaceFile(registrationFile(stack.config.dataDir), JSON.stringify(registered));
  } catch (error) {
    await client.close();
    throw error;
  }
  await client.close();
  return openRegistered(stack, clock);
}

/** Registers the software with the directory. @returns the directory's statement of it */
export async function softwareStatement(stack: Stack, software: Software): Promise<string> {
  const answer = await stack.sandbox('POST', '/directory/software-statements', software);
  return (answer as { software_statement: string }).software_statement;
}

async function softwareOf({ config }: Stack, softwareId: string): Promise<Software> {
  const { redirectUri } = bankEndpoint(config);
  return {
    softwareId,
    clientName: sandboxSoftwareName,
    description: 'Shows your accounts at the sandbox bank.',
    clientUri: config.tppUrl,
    redirectUris: [redirectUri],
    organisation: sandboxOrganisation,
    jwks: { keys: [publicPart(await readJwk(pkiFiles(config.dataDir).tppSigningKeyFile))] },
  };
}

function open({ config }: Stack, clientId: string, clock: Clock | undefined): Promise<BankClient> {
  return BankClient.open({ ...bankEndpoint(config), clientId }, pkiFiles(config.dataDir), clock);
}

function read({ config }: Stack): Promise<TppRegistration | undefined> {
  return readKeptJson<TppRegistration>(
    registrationFile(config.dataDir),
    'as a registration: remove it, and the TPP registers again',
  );
}
