import { join } from 'node:path';
import { printCoreAdapterCheck } from '../packages/adapter-kit/adapter-kit.js';
import { KitFault } from '../packages/adapter-kit/kit-fault.js';
import { printCustomerAuthenticationCheck } from '../packages/adapter-kit/sign-on/sign-on-kit.js';
import { kitServices } from '../packages/adapter-kit/kit-services.js';
import { CommandFailed } from '../src/command-line/command.js';
import { runCommandLine } from '../src/command-line/command-line.js';
import { endWithReader } from '../src/command-line/gone-reader.js';
import { isCoreError } from '../packages/core-adapter/core-error.js';
import type { CoreSettings } from '../packages/core-adapter/core-settings.js';
import { createCoreAdapter } from '../src/adapters/load-adapter.js';
import { packageRoot } from '../src/persistence/package-root.js';
import { loadProfile } from '../src/profiles/load-profile.js';
import { versions, versionsNamed } from '../src/versions/versions.js';
import { type AdapterKind, coreKind, signOnKind } from './adapter-kind.js';
import { adapterProgram, type PreviewOptions } from './program.js';
import { coreOf, isSignOn, kitOf } from './kits.js';
import { newAdapter } from './new-adapter.js';
import { newRepository } from './own-repository.js';
import { preview } from './preview.js';

async function showPreview(name: string, { customer, account, read, rows, api }: PreviewOptions): Promise<void> {
  const core = await coreOf(name);
  const profile = await loadProfile(process.env.PROFILE ?? 'profile-2');
  const [version = versions[0]] = versionsNamed([api]);
  const create = (given: CoreSettings) => createCoreAdapter(core, given, kitServices);
  const options = { customerRef: customer, accountRef: account, read, rows, profile, version };
  for await (const text of preview(create, coreSettings(), options)) console.log(`${text}\n`);
}

async function create(name: string, kind: AdapterKind, into: string | undefined): Promise<void> {
  const root = packageRoot();
  const written = await (into === undefined ? newAdapter(root, name, kind) : newRepository(root, name, into, kind));
  for (const path of written) console.log(into === undefined ? path : join(into, path));
  const next = into === undefined ? `npm run adapter -- check ${name}` : `cd ${into} && npm install && npm run check`;
  console.log(`\nNow: ${next}`);
}

async function check(name: string): Promise<void> {
  const kit = await kitOf(name);
  const broken = await (isSignOn(kit) ? printCustomerAuthenticationCheck(kit) : printCoreAdapterCheck(kit));
  if (broken === Number.POSITIVE_INFINITY) throw new CommandFailed(`no clause of ${name} was checked`);
  if (broken > 0) throw new CommandFailed(`${name} does not keep ${broken} ${broken === 1 ? 'clause' : 'clauses'}`);
}

/** As the gateway has them of its environment. */
function coreSettings(): CoreSettings {
  const given = Object.entries(process.env).filter(([name]) => name.startsWith('CORE_')) as [string, string][];
  const variables = Object.fromEntries(given);
  if (variables.CORE_URL === undefined || !URL.canParse(variables.CORE_URL))
    throw new CommandFailed('CORE_URL is not set: say where the core is');
  return {
    url: variables.CORE_URL.replace(/\/+$/, ''),
    connections: Number(variables.CORE_CONNECTIONS ?? 4),
    variables,
  };
}

endWithReader();
process.exitCode = await runCommandLine(
  () =>
    adapterProgram({
      new: (name, into) => create(name, coreKind, into),
      newSignOn: (name, into) => create(name, signOnKind, into),
      check,
      preview: showPreview,
    }),
  process.argv.slice(2),
  (text) => console.log(text),
  (line) => console.error(`adapter: ${line}`),
  (error) => isCoreError(error) || error instanceof KitFault,
);
