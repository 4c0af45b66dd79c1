import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../src/clock/clock.js';
import type { ApiScope } from '../../src/open-banking/scopes.js';
import type { VersionName } from '../../src/versions/versions.js';
import { makeSigningKey, publicPart } from '../bank/issuer.js';
import { BankClient } from '../clients/bank.client.js';
import type { BankSettings, ClientAuthentication, TppKeyFiles } from '../clients/bank-connection.js';
import { inOneLine } from '../clients/bank-fault.js';
import type { FapiVersion, SoftwareStatement } from '../clients/registration-request.js';
import type { Stack } from '../clients/stack.js';
import { FaultyStart } from '../faulty-start.js';
import {
  type TppFolder,
  folderOf,
  readTppFolder,
  removeTppFolder,
  tppFolders,
  writeTppFolder,
} from '../new-tpps/tpp-folder.js';
import type { TppSubject } from '../pki/authority.js';
import { pkiFiles } from '../pki/kept-pki.js';
import type { PspRole } from '../pki/qc-statements.js';
import { tpps } from './bank.js';
import { programSettings } from './program-settings.js';
import { bankEndpoint, softwareStatement } from './registration.js';

export interface NewTpp {
  readonly name: string;
  /** Acts on behalf of the TPP; customers see both names. */
  readonly agent?: string;
  readonly redirectUri: string;
  readonly fapi: FapiVersion;
  /** Default: by its key. */
  readonly auth?: ClientAuthentication;
  /** Default: the newest that the gateway serves, because older versions end first. */
  readonly api?: VersionName;
  /** Default: `accounts`. */
  readonly scope?: ApiScope;
}

/** A TPP that the bank knows. */
export interface RegisteredTpp {
  readonly name: string;
  readonly clientId: string;
  readonly status?: string;
  readonly fapi: FapiVersion;
  readonly redirectUris: readonly string[];
  /** Where {@link newTpp} made it. */
  readonly folder?: string;
}

/** Makes a TPP of a new organisation, registers it with directory and bank, and writes its folder. */
export async function newTpp(stack: Stack, wanted: NewTpp): Promise<TppFolder> {
  const { name, agent, redirectUri, fapi, auth = 'key', scope = 'accounts', api } = wanted;
  const folder = folderOf(stack.config.dataDir, name);
  if (folder === undefined) throw new FaultyStart(`the name ${name} needs a letter from a to z, or a digit`);
  if ((await readTppFolder(folder)) !== undefined)
    throw new FaultyStart(`${folder} exists already: take another name, or remove that TPP with: tpp remove "${name}"`);
  const needed = await programSettings(stack, scope, api);
  const softwareId = randomBytes(11).toString('hex');
  const keys = await makeKeys(stack, name, scope);
  const statement = await softwareStatement(stack, {
    softwareId,
    clientName: name,
    ...(agent !== undefined && { agentName: agent }),
    description: `${name}, a TPP of this sandbox`,
    clientUri: new URL(redirectUri).origin,
    redirectUris: [redirectUri],
    organisation: keys.organisation,
    jwks: { keys: [publicPart(keys.signing)] },
  });
  const registered = inOneLine(register(stack, wanted, { id: softwareId, statement }, keys));
  const clientId = await registered.catch(async (error: unknown) => {
    await withdrawSoftware(stack, softwareId);
    throw error;
  });
  const tpp: TppFolder = { folder, name, clientId, softwareId, redirectUri, auth, scope };
  await writeTppFolder(tpp, {
    '.env': environmentFile(stack, tpp, fapi, needed),
    'transport.pem': keys.transport,
    'authority.pem': keys.authority,
    'signing-key.jwk': JSON.stringify(keys.signing),
    'software-statement.jwt': statement,
  });
  return tpp;
}

/** The TPPs that the bank knows. */
export async function listTpps(stack: Stack): Promise<readonly RegisteredTpp[]> {
  const [all, own] = await Promise.all([tpps(stack), tppFolders(stack.config.dataDir)]);
  return all.map(({ ClientId, Name, Status, Metadata }) => ({
    name: Name ?? ClientId,
    clientId: ClientId,
    status: Status,
    fapi: Metadata?.fapi_profile === '2.0' ? '2' : '1',
    redirectUris: Metadata?.redirect_uris ?? [],
    folder: own.find(({ clientId }) => clientId === ClientId)?.folder,
  }));
}

/**
 * Ends the registration of a TPP that has a folder, and removes the files that {@link newTpp} wrote.
 * @returns the TPP with the files that stay
 */
export async function removeTpp(
  stack: Stack,
  nameOrId: string,
): Promise<TppFolder & { readonly kept: readonly string[] }> {
  const own = await tppFolders(stack.config.dataDir);
  const tpp = own.find(({ name, clientId }) => name === nameOrId || clientId === nameOrId);
  if (tpp === undefined) {
    const names = own.map(({ name }) => `"${name}"`).join(', ');
    throw new FaultyStart(
      `tpp new has made no TPP "${nameOrId}"${names === '' ? ' and no other' : `: it is one of ${names}`}`,
    );
  }
  await inOneLine(unregister(stack, tpp));
  await withdrawSoftware(stack, tpp.softwareId);
  return { ...tpp, kept: await removeTppFolder(tpp) };
}

async function unregister({ config }: Stack, { folder, ...tpp }: TppFolder): Promise<void> {
  const settings: BankSettings = { ...bankEndpoint(config), ...tpp };
  const client = await BankClient.open(settings, keyFilesIn(folder));
  try {
    if (await client.isRegistered()) await client.unregister();
  } finally {
    await client.close();
  }
}

async function withdrawSoftware(stack: Stack, softwareId: string): Promise<void> {
  await stack.sandbox('DELETE', `/directory/software/${encodeURIComponent(softwareId)}`);
}

const roleOf = { accounts: 'PSP_AI', fundsconfirmations: 'PSP_IC' } as const satisfies Record<ApiScope, PspRole>;

interface TppKeys {
  readonly organisation: TppSubject;
  /** Certificate and key, PEM. */
  readonly transport: string;
  readonly authority: string;
  readonly signing: Awaited<ReturnType<typeof makeSigningKey>>;
}

async function makeKeys({ config }: Stack, organisationName: string, scope: ApiScope): Promise<TppKeys> {
  const pki = pkiFiles(config.dataDir);
  const [certificate, key] = await Promise.all(
    [pki.authorityFile, pki.authorityKeyFile].map((file) => readFile(file, 'utf8')),
  );
  // Loaded only to make certificates: no other command waits for it.
  const { Authority } = await import('../pki/authority.js');
  const authority = await Authority.from({ certificate: certificate ?? '', key: key ?? '' }, new SystemClock().nowMs());
  const organisation: TppSubject = {
    organisationName,
    organisationId: `0015800001${randomBytes(4).toString('hex').toUpperCase()}`,
    registrationId: String(randomInt(100_000, 1_000_000)),
    roles: [roleOf[scope]],
  };
  const [pair, signing] = await Promise.all([authority.tpp(organisation), makeSigningKey('PS256')]);
  return { organisation, transport: pair.certificate + pair.key, authority: authority.pair.certificate, signing };
}

/** Registers the TPP with the bank, by its own keys. @returns the client id */
async function register(
  { config }: Stack,
  { redirectUri, fapi, auth, scope }: NewTpp,
  software: SoftwareStatement,
  keys: TppKeys,
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
    const settings: BankSettings = { ...bankEndpoint(config), clientId: software.id, redirectUri, auth, scope };
    const client = await BankClient.open(settings, keyFilesIn(draft));
    return await client.register(software, 'POST', fapi).finally(() => client.close());
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
  { config }: Stack,
  { name, clientId, softwareId, redirectUri, auth, scope }: TppFolder,
  fapi: FapiVersion,
  needed: Readonly<Record<string, string>>,
): string {
  const settings = {
    NAME: name,
    CLIENT_ID: clientId,
    SOFTWARE_ID: softwareId,
    REDIRECT_URI: redirectUri,
    FAPI: fapi,
    AUTH: auth,
    ISSUER: bankEndpoint(config).issuer,
    SCOPE: scope,
    ...needed,
  };
  return Object.entries(settings)
    .map(([setting, value]) => `${setting}="${value}"\n`)
    .join('');
}
