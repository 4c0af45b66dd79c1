import { relative } from 'node:path';
import type { Clock } from '../../src/clock/clock.js';
import { DirectoryClient } from '../directory/directory.client.js';
import { FaultyStart } from '../faulty-start.js';
import { type NewTpp, type SandboxParts, newTpp, readableOf, removeTpp } from '../new-tpps/new-tpp.js';
import { type TppFolder, tppFolders } from '../new-tpps/tpp-folder.js';
import { pkiFiles } from '../pki/kept-pki.js';
import type { SandboxConfig } from '../sandbox.config.js';
import { faultOfBank } from '../tpp/bank-fault.js';
import type { TppCommand } from './arguments.js';
import type { CommandOutput } from './command-output.js';
import type { StackClient } from './stack.client.js';

/** The commands about TPPs at the running stack, their faults in one line each. */
export async function runTppCommand(
  command: TppCommand,
  stack: StackClient,
  config: SandboxConfig,
  clock: Clock,
): Promise<CommandOutput> {
  if (command.name === 'tpp list') return list(stack, config);
  const parts: SandboxParts = {
    endpoint: { issuer: `${config.browserUrl}/as`, tppUrl: config.mtlsUrl },
    pki: pkiFiles(config.dataDir),
    directory: new DirectoryClient(stack.directoryUrl, await stack.bankCredential()),
    dataDir: config.dataDir,
    clock,
  };
  try {
    return command.name === 'tpp new' ? await make(command.tpp, stack, parts) : await remove(command.tpp, parts);
  } catch (error) {
    const fault = faultOfBank(error);
    throw fault === undefined ? error : new FaultyStart(fault);
  }
}

async function make(wanted: NewTpp, stack: StackClient, parts: SandboxParts): Promise<CommandOutput> {
  const tpp = await newTpp(wanted, readableOf(await stack.publishedFacts(), await stack.openApiDocument()), parts);
  const [persona] = await stack.personas();
  return {
    json: tpp,
    text: `${tpp.name} is registered with the bank as ${tpp.clientId}.

Its settings, certificate, key and programs are in ${shown(tpp.folder)}. Read accounts with them:

  cd ${shown(tpp.folder)}
  npm start

It prints an address: open it, sign in as ${persona?.loginName} with ${persona?.password}, take the code from
${stack.inboxUrl}, and approve. Outside of this project run \`npm install\` in the folder first.

With curl: --cert transport.pem --cacert authority.pem${tpp.auth === 'certificate' ? postman : ''}`,
  };
}

const postman = `
With Postman: import collection.json and environment.json. The description of the collection says how to go on.`;

async function remove(nameOrId: string, parts: SandboxParts): Promise<CommandOutput> {
  const own = await tppFolders(parts.dataDir);
  const tpp = own.find(({ name, clientId }) => name === nameOrId || clientId === nameOrId);
  if (tpp === undefined) {
    const names = own.map(({ name }) => `"${name}"`).join(', ');
    throw new FaultyStart(
      `tpp new has made no TPP "${nameOrId}"${names === '' ? ' and no other' : `: it is one of ${names}`}`,
    );
  }
  const left = await removeTpp(tpp, parts);
  const kept = left.length === 0 ? '' : ` ${shown(tpp.folder)} keeps what you wrote: ${left.join(', ')}.`;
  return { json: { ...tpp, kept: left }, text: `${tpp.name} is no longer registered.${kept}` };
}

async function list(stack: StackClient, { dataDir }: SandboxConfig): Promise<CommandOutput> {
  const [tpps, own] = await Promise.all([stack.tpps(), tppFolders(dataDir)]);
  const all = tpps.map(({ ClientId, Name, Status, Metadata }) => ({
    name: Name ?? ClientId,
    clientId: ClientId,
    status: Status,
    fapi: Metadata?.fapi_profile === '2.0' ? '2' : '1',
    redirectUris: Metadata?.redirect_uris ?? [],
    folder: own.find(({ clientId }) => clientId === ClientId)?.folder,
  }));
  return { json: { tpps: all }, text: all.map(tppText).join('\n\n') };
}

function tppText(
  tpp: Pick<TppFolder, 'name' | 'clientId'> & {
    readonly status?: string;
    readonly fapi: string;
    readonly redirectUris: readonly string[];
    readonly folder?: string;
  },
): string {
  return [
    `${tpp.name} (${[tpp.status, `FAPI ${tpp.fapi}`].filter(Boolean).join(', ')})`,
    `  client id  ${tpp.clientId}`,
    ...tpp.redirectUris.map((uri) => `  redirects  ${uri}`),
    ...(tpp.folder === undefined ? [] : [`  folder     ${shown(tpp.folder)}`]),
  ].join('\n');
}

/** As short as it can be typed from here. */
function shown(folder: string): string {
  const short = relative(process.cwd(), folder);
  return short.startsWith('..') ? folder : short;
}
