import { accountReads, fundsReads, type CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { CoreServices, CreateAdapter } from '../../packages/core-adapter/core-services.js';
import { type CoreSettings, isCoreSettingFault } from '../../packages/core-adapter/core-settings.js';
import { portVersion } from '../../packages/core-adapter/port-version.js';
import { BootError } from '../config/boot-error.js';
import { settingOfCore } from '../config/core-settings.js';
import { adapters } from '../core-banking/adapters/registry.js';
import { createFunction, type AdapterPort } from './adapter-module.js';
import { settingFault } from './renewable-core.js';

const corePort: AdapterPort = {
  version: portVersion,
  entry: 'account-information-core-adapter',
  creates: 'createAdapter',
  settings: 'the core’s settings',
  registry: adapters,
};

/**
 * Creates the adapter of a core.
 *
 * @param name see {@link createFunction}
 * @param core its name in `CORES`; absent for a single core
 * @throws BootError
 */
export async function createCoreAdapter(
  name: string,
  settings: CoreSettings,
  services: CoreServices,
  core?: string,
): Promise<CoreAdapter> {
  const setting = core === undefined ? 'CORE' : settingOfCore(core, 'CORE_ADAPTER');
  const createAdapter = await createFunction<CreateAdapter>(corePort, setting, name, services.logger);
  const adapter = await created({ name: core, adapter: name }, () => createAdapter(settings, services));
  const faults = faultsOf(adapter);
  if (faults.length === 0) return adapter;
  throw new BootError(`${setting} "${name}": createAdapter returned no adapter: ${faults.join(', ')}`);
}

async function created(
  core: Parameters<typeof settingFault>[0],
  create: () => ReturnType<CreateAdapter>,
): Promise<CoreAdapter> {
  try {
    return await create();
  } catch (error) {
    throw isCoreSettingFault(error) ? settingFault(core, error) : error;
  }
}

/** The faults that the compiler finds in an adapter that is written in TypeScript. */
function faultsOf(made: unknown): string[] {
  if (typeof made !== 'object' || made === null) return ['it is not an object'];
  const adapter = made as Readonly<Record<string, unknown>>;
  const faults: string[] = [];
  if (typeof adapter.name !== 'string' || adapter.name === '') faults.push('name is not a text');
  if (!['none', 'id-kept', 'id-changes'].includes(String(adapter.pending)))
    faults.push('pending is not none, id-kept or id-changes');
  if (typeof adapter.missing !== 'object' || adapter.missing === null) faults.push('missing is not an object');
  for (const method of ['accounts', 'account', 'health', 'close'])
    if (typeof adapter[method] !== 'function') faults.push(`${method} is not a function`);
  for (const method of [...accountReads, ...fundsReads, 'renewCertificates'])
    if (!['function', 'undefined'].includes(typeof adapter[method])) faults.push(`${method} is not a function`);
  return faults;
}
