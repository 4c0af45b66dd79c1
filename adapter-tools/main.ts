import { join } from 'node:path';
import { checkCoreAdapter, printCoreAdapterCheck } from '../packages/adapter-kit/adapter-kit.js';
import { isOverHttp } from '../packages/adapter-kit/core-proxy.js';
import { kitServices } from '../packages/adapter-kit/kit-services.js';
import { endWithReader } from '../src/commands/gone-reader.js';
import { BootError } from '../src/config/boot-error.js';
import { CoreError } from '../packages/core-adapter/core-error.js';
import type { CoreSettings } from '../packages/core-adapter/core-settings.js';
import { createCoreAdapter } from '../src/adapters/load-adapter.js';
import { packageRoot } from '../src/persistence/package-root.js';
import { loadProfile } from '../src/profiles/load-profile.js';
import { type Command, readArguments, usage } from './arguments.js';
import { kitOf, namesWithKit } from './kits.js';
import { lackOf, mutantLines, type MutantResult, mutate } from './mutate.js';
import { newAdapter } from './new-adapter.js';
import { newRepository } from './own-repository.js';
import { preview } from './preview.js';
import { previewText } from './preview-text.js';
import { record } from './recording.js';
import { type Outcomes, report } from './report.js';
import { ToolError } from './tool-error.js';

async function run(command: Command): Promise<void> {
  switch (command.name) {
    case 'help':
      console.log(usage);
      return;
    case 'new':
      return create(command.adapter, command.into);
    case 'check':
      return check(command.adapter);
    case 'mutate':
      return breakIt(command.adapter);
    case 'report': {
      const adapters = new Map<string, Outcomes>();
      for (const name of await namesWithKit()) {
        const outcomes = new Map<string, Awaited<ReturnType<typeof resultsOf>>[number]>();
        for (const result of await resultsOf(name)) outcomes.set(result.clause.id, result);
        adapters.set(name, outcomes as Outcomes);
      }
      console.log(report(adapters));
      return;
    }
    case 'preview': {
      const profile = await loadProfile(process.env.PROFILE ?? 'profile-2');
      const wish = { customerRef: command.customer, accountRef: command.account };
      const create = (settings: CoreSettings) => createCoreAdapter(command.adapter, settings, kitServices);
      for await (const shown of preview(create, coreSettings(), profile, wish)) console.log(`${previewText(shown)}\n`);
      return;
    }
    case 'record': {
      const folder = command.into ?? join(packageRoot(), 'test/cores', command.adapter, 'fixtures');
      const create = (settings: CoreSettings) => createCoreAdapter(command.adapter, settings, kitServices);
      const wish = { customerRef: command.customer, keep: command.keep, folder };
      for (const file of await record(create, coreSettings(), wish)) console.log(join(folder, file));
    }
  }
}

async function create(name: string, into: string | undefined): Promise<void> {
  const written =
    into === undefined ? await newAdapter(packageRoot(), name) : await newRepository(packageRoot(), name, into);
  for (const path of written) console.log(into === undefined ? path : join(into, path));
  const next = into === undefined ? `npm run adapter -- check ${name}` : `cd ${into} && npm install && npm run check`;
  console.log(`\nNow: ${next}`);
}

async function check(name: string): Promise<void> {
  const broken = await printCoreAdapterCheck(await kitOf(name));
  if (broken > 0) throw new ToolError(`${name} breaks ${broken} clauses`);
}

async function breakIt(name: string): Promise<void> {
  const results: MutantResult[] = [];
  for await (const result of mutate(await kitOf(name))) {
    console.log(mutantLines(result));
    results.push(result);
  }
  const lack = lackOf(results);
  if (lack !== undefined) throw new ToolError(`${name}: ${lack}`);
}

async function resultsOf(name: string) {
  const results = [];
  for await (const result of checkCoreAdapter(await kitOf(name))) results.push(result);
  return results;
}

/** As the gateway has them of its environment. */
function coreSettings(): CoreSettings {
  const given = Object.entries(process.env).filter(([name]) => name.startsWith('CORE_')) as [string, string][];
  const variables = Object.fromEntries(given);
  if (variables.CORE_URL === undefined || !URL.canParse(variables.CORE_URL))
    throw new ToolError('CORE_URL is not set: say where the core is');
  if (!isOverHttp(variables.CORE_URL))
    throw new ToolError('preview and record read the answers of a core over HTTP: CORE_URL has another scheme');
  return {
    url: variables.CORE_URL.replace(/\/+$/, ''),
    connections: Number(variables.CORE_CONNECTIONS ?? 4),
    variables,
  };
}

endWithReader();
try {
  await run(readArguments(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof ToolError || error instanceof BootError || error instanceof CoreError)) throw error;
  console.error(`adapter: ${error.message}`);
  process.exitCode = 1;
}
