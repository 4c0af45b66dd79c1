import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/clock/clock.js';
import { permissionCodes } from '../../src/open-banking/permissions.js';
import { v3_1 } from '../../src/versions/v3.1.js';
import { makeSigningKey, publicPart } from '../bank/issuer.js';
import type { DirectoryClient } from '../directory/directory.client.js';
import type { TppSubject } from '../pki/authority.js';
import { FaultyStart } from '../faulty-start.js';
import type { SandboxPki } from '../pki/kept-pki.js';
import type { BankEndpoint, ClientAuthentication, TppKeyFiles } from '../tpp/bank-connection.js';
import { BankClient } from '../tpp/bank.client.js';
import type { FapiVersion } from '../tpp/registration-request.js';
import { collectionOf, environmentOf } from './collection.js';
import type { ServedDocument } from './served-document.js';
import { type TppFolder, folderOf, readTppFolder, removeTppFolder, writeTppFolder } from './tpp-folder.js';

export interface NewTpp {
  readonly name: string;
  /** Acts on behalf of the TPP; customers see both names. */
  readonly agent?: string;
  readonly redirectUri: string;
  readonly fapi: FapiVersion;
  /** Default: by its key. */
  readonly auth?: ClientAuthentication;
}

/** Those of the gateway's published facts that the commands need. */
export interface PublishedFacts {
  /** The endpoints of each product. */
  readonly Products: Readonly<Record<string, readonly string[]>>;
  readonly RefusedPermissions: readonly string[];
  readonly AuthenticationWindow: {
    readonly Seconds: number;
    /** These answer outside of the window. */
    readonly ExemptEndpoints: readonly string[];
    readonly ExemptInRecentHistory: readonly string[];
    readonly RecentHistoryDays: number;
  };
}

/** A new TPP reads this with its first consent. */
export interface Readable {
  readonly permissions: readonly string[];
  /** The resources of an account, as its paths name them. */
  readonly resources: readonly string[];
  readonly document: ServedDocument;
}

/** Everything that the gateway serves, by its published facts and its OpenAPI document. */
export function readableOf({ Products, RefusedPermissions }: PublishedFacts, document: ServedDocument): Readable {
  const resources = new Set(Object.values(Products).flat());
  resources.delete('accounts');
  return {
    permissions: permissionCodes.filter((code) => !RefusedPermissions.includes(code)),
    resources: [...resources],
    document,
  };
}

export interface SandboxParts {
  readonly endpoint: Omit<BankEndpoint, 'redirectUri'>;
  readonly pki: SandboxPki;
  readonly directory: DirectoryClient;
  readonly dataDir: string;
  readonly clock: Clock;
}

/** Makes a TPP of a new organisation, registers it with directory and bank, and writes its folder. */
export async function newTpp(wanted: NewTpp, readable: Readable, parts: SandboxParts): Promise<TppFolder> {
  const { name, agent, redirectUri, fapi, auth = 'key' } = wanted;
  const folder = folderOf(parts.dataDir, name);
  if (folder === undefined) throw new FaultyStart(`the name ${name} needs a letter from a to z, or a digit`);
  if ((await readTppFolder(folder)) !== undefined)
    throw new FaultyStart(
      `${folder} is there already: take another name, or remove that TPP with: tpp remove "${name}"`,
    );
  const softwareId = randomBytes(11).toString('hex');
  const keys = await makeKeys(name, parts);
  const statement = await parts.directory.statement({
    softwareId,
    clientName: name,
    ...(agent !== undefined && { agentName: agent }),
    description: `${name}, a TPP of this sandbox`,
    clientUri: new URL(redirectUri).origin,
    redirectUris: [redirectUri],
    organisation: keys.organisation,
    jwks: { keys: [publicPart(keys.signing)] },
  });
  const clientId = await register(wanted, { id: softwareId, statement }, keys, parts).catch(async (error: unknown) => {
    await parts.directory.withdraw(softwareId);
    throw error;
  });
  const tpp: TppFolder = { folder, name, clientId, softwareId, redirectUri, auth };
  await writeTppFolder(folder, {
    '.env': environmentFile(tpp, fapi, readable, parts),
    'transport.pem': keys.transport,
    'authority.pem': keys.authority,
    'signing-key.jwk': JSON.stringify(keys.signing),
    'software-statement.jwt': statement,
    ...(auth === 'certificate' && collectionFiles(tpp, readable, parts)),
  });
  return tpp;
}

/** Ends the registration of a TPP that has a folder, and removes what {@link newTpp} wrote. Gives the files that stay. */
export async function removeTpp(tpp: TppFolder, parts: SandboxParts): Promise<readonly string[]> {
  const { clientId, redirectUri, auth } = tpp;
  const client = await BankClient.open({ ...parts.endpoint, clientId, redirectUri, auth }, keyFilesIn(tpp.folder));
  try {
    if (await client.isKnown()) await client.unregister();
  } finally {
    await client.close();
  }
  await parts.directory.withdraw(tpp.softwareId);
  return removeTppFolder(tpp.folder);
}

interface TppKeys {
  readonly organisation: TppSubject;
  /** Certificate and key, PEM. */
  readonly transport: string;
  readonly authority: string;
  readonly signing: Awaited<ReturnType<typeof makeSigningKey>>;
}

async function makeKeys(organisationName: string, { pki, clock }: SandboxParts): Promise<TppKeys> {
  const [certificate, key] = await Promise.all(
    [pki.authorityFile, pki.authorityKeyFile].map((file) => readFile(file, 'utf8')),
  );
  // Loaded only to make certificates: no other command waits for it.
  const { Authority } = await import('../pki/authority.js');
  const authority = await Authority.from({ certificate: certificate ?? '', key: key ?? '' }, clock.nowMs());
  const organisation: TppSubject = {
    organisationName,
    organisationId: `0015800001${randomBytes(4).toString('hex').toUpperCase()}`,
    registrationId: String(randomInt(100_000, 1_000_000)),
    roles: ['PSP_AI'],
  };
  const [pair, signing] = await Promise.all([authority.tpp(organisation), makeSigningKey('PS256')]);
  return { organisation, transport: pair.certificate + pair.key, authority: authority.pair.certificate, signing };
}

/** Registers the TPP with the bank, by its own keys. Gives the client id. */
async function register(
  { redirectUri, fapi, auth }: NewTpp,
  software: { readonly id: string; readonly statement: string },
  keys: TppKeys,
  { endpoint, clock }: SandboxParts,
): Promise<string> {
  const draft = await mkdtemp(join(tmpdir(), 'sandbox-tpp-'));
  try {
    const { transport, authority, signing } = keys;
    const contents = {
      'transport.pem': transport,
      'authority.pem': authority,
      'signing-key.jwk': JSON.stringify(signing),
    };
    for (const [name, content] of Object.entries(contents))
      await writeFile(join(draft, name), content, { mode: 0o600 });
    const client = await BankClient.open({ ...endpoint, clientId: software.id, redirectUri, auth }, keyFilesIn(draft));
    return await client.register(software, 'POST', clock.nowMs(), fapi).finally(() => client.close());
  } finally {
    await rm(draft, { recursive: true });
  }
}

function keyFilesIn(folder: string): TppKeyFiles {
  const pair = join(folder, 'transport.pem');
  return {
    authorityFile: join(folder, 'authority.pem'),
    tpp: { certificateFile: pair, keyFile: pair },
    tppSigningKeyFile: join(folder, 'signing-key.jwk'),
  };
}

function environmentFile(
  { name, clientId, softwareId, redirectUri, auth }: TppFolder,
  fapi: FapiVersion,
  { permissions, resources }: Readable,
  { endpoint: { issuer, tppUrl } }: SandboxParts,
): string {
  const settings = {
    NAME: name,
    CLIENT_ID: clientId,
    SOFTWARE_ID: softwareId,
    REDIRECT_URI: redirectUri,
    FAPI: fapi,
    AUTH: auth,
    ISSUER: issuer,
    API_URL: `${tppUrl}${v3_1.basePath}`,
    PERMISSIONS: permissions.join(' '),
    RESOURCES: resources.join(' '),
  };
  return Object.entries(settings)
    .map(([setting, value]) => `${setting}="${value}"\n`)
    .join('');
}

/** For Postman, whose scripts sign nothing: of use to a TPP that proves itself by its certificate. */
function collectionFiles(
  { name, clientId, redirectUri }: TppFolder,
  { document, permissions }: Readable,
  { endpoint: { issuer, tppUrl } }: SandboxParts,
): Readonly<Record<'collection.json' | 'environment.json', string>> {
  const text = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
  return {
    'collection.json': text(collectionOf(document, permissions)),
    'environment.json': text(environmentOf(name, { clientId, redirectUri, bank: tppUrl, issuer })),
  };
}
