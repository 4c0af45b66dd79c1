import { accountReads, fundsReads, type CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { CoreServices, CreateAdapter } from '../../packages/core-adapter/core-services.js';
import { type CoreSettings, isCoreSettingFault } from '../../packages/core-adapter/core-settings.js';
import { portVersion } from '../../packages/core-adapter/port-version.js';
import { settingOfCore } from '../config/core-settings.js';
import { adapters } from '../core-banking/adapters/registry.js';
import { type AdapterPort, makeAdapter } from './adapter-module.js';
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
 * @param name see {@link makeAdapter}
 * @param core its name in `CORES`; absent for a single core
 * @throws BootError
 */
export function createCoreAdapter(
  name: string,
  settings: CoreSettings,
  services: CoreServices,
  core?: string,
): Promise<CoreAdapter> {
  const wanted = {
    setting: core === undefined ? 'CORE' : settingOfCore(core, 'CORE_ADAPTER'),
    name,
    settingFault: (error: unknown) =>
      isCoreSettingFault(error) ? settingFault({ name: core, adapter: name }, error) : undefined,
    faultsOf,
  };
  return makeAdapter<Parameters<CreateAdapter>, CoreAdapter>(corePort, wanted, services.logger, settings, services);
}

function faultsOf(adapter: Readonly<Record<string, unknown>>): string[] {
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
