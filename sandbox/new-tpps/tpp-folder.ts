import { readFile, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { packageRoot } from '../../src/persistence/package-root.js';
import type { ApiScope } from '../../src/open-banking/scopes.js';
import { FaultyStart, codeOf, unusable } from '../faulty-start.js';
import { writeFolder } from '../kept-file.js';
import type { ClientAuthentication } from '../clients/bank-connection.js';

/** The developer of a TPP starts with the files of these names, made for this TPP, and with the programs. */
export type TppFiles = Readonly<
  Record<'.env' | 'transport.pem' | 'authority.pem' | 'signing-key.jwk' | 'software-statement.jwt', string>
>;

/** The npm packages that the programs use. */
const packages = ['jose', 'openid-client', 'undici'] as const;

/** A folder that `tpp new` wrote, and its settings. */
export interface TppFolder {
  readonly folder: string;
  readonly name: string;
  readonly clientId: string;
  readonly softwareId: string;
  readonly redirectUri: string;
  readonly auth: ClientAuthentication;
  readonly scope: ApiScope;
}

/** The folder of a TPP of this name, whether it is there or not; `undefined` for a name without a letter or a digit. */
export function folderOf(dataDir: string, name: string): string | undefined {
  const words = name.toLowerCase().match(/[a-z0-9]+/g);
  return words === null ? undefined : join(dataDir, 'tpps', words.join('-'));
}

export async function writeTppFolder({ folder, scope }: TppFolder, made: TppFiles): Promise<void> {
  try {
    await writeFolder(folder, { ...made, ...(await programFiles(scope)) });
  } catch (error) {
    throw unusable(folder, error);
  }
}

/** The folders that `tpp new` wrote, by their settings. */
export async function tppFolders(dataDir: string): Promise<readonly TppFolder[]> {
  const parent = join(dataDir, 'tpps');
  const names = await readdir(parent).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw unusable(parent, error);
  });
  const all = await Promise.all(names.map((name) => readTppFolder(join(parent, name))));
  return all.filter((one) => one !== undefined);
}

/** `undefined` if `tpp new` did not write the folder. */
export async function readTppFolder(folder: string): Promise<TppFolder | undefined> {
  const text = await readFile(join(folder, '.env'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw unusable(folder, error);
  });
  if (text === undefined) return undefined;
  const settings = parseEnv(text);
  const { NAME: name, CLIENT_ID: clientId, SOFTWARE_ID: softwareId, REDIRECT_URI: redirectUri } = settings;
  if (name === undefined || clientId === undefined || softwareId === undefined || redirectUri === undefined)
    throw new FaultyStart(`${join(folder, '.env')} lacks NAME, CLIENT_ID, SOFTWARE_ID or REDIRECT_URI: write it again`);
  const auth = settings['AUTH'] === 'certificate' ? 'certificate' : 'key';
  const scope = settings['SCOPE'] === 'fundsconfirmations' ? 'fundsconfirmations' : 'accounts';
  return { folder, name, clientId, softwareId, redirectUri, auth, scope };
}

/**
 * Removes what `tpp new` wrote. A program that was edited stays, and so does everything else in the folder.
 * @returns the names of the files that stay
 */
export async function removeTppFolder({ folder, scope }: TppFolder): Promise<readonly string[]> {
  const made: Readonly<Record<keyof TppFiles, true>> = {
    '.env': true,
    'transport.pem': true,
    'authority.pem': true,
    'signing-key.jwk': true,
    'software-statement.jwt': true,
  };
  try {
    for (const name of Object.keys(made)) await rm(join(folder, name), { force: true });
    for (const [name, content] of Object.entries(await programFiles(scope))) {
      const file = join(folder, name);
      if ((await readFile(file, 'utf8').catch(() => undefined)) === content) await rm(file);
    }
    const left = await readdir(folder);
    if (left.length === 0) await rmdir(folder);
    return left;
  } catch (error) {
    throw unusable(folder, error);
  }
}

const programs = { accounts: 'read-accounts.js', fundsconfirmations: 'ask-for-funds.js' } as const;

async function programFiles(scope: ApiScope): Promise<Readonly<Record<string, string>>> {
  const program = programs[scope];
  const template = (name: string): Promise<string> =>
    readFile(join(packageRoot(), 'sandbox/new-tpps/template', name), 'utf8');
  return {
    [program]: await template(program),
    'bank.js': await template('bank.js'),
    'package.json': await manifest(program),
  };
}

/** With the versions of the packages that this project is tested with. */
async function manifest(program: string): Promise<string> {
  const own = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as Readonly<
    Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
  >;
  const versions = { ...own.devDependencies, ...own.dependencies };
  const start = `node --env-file=.env ${program}`;
  const dependencies = Object.fromEntries(packages.map((name) => [name, versions[name]]));
  return `${JSON.stringify({ private: true, type: 'module', scripts: { start }, dependencies }, undefined, 2)}\n`;
}
