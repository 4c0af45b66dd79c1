import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { accountReads, type CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { CoreLogger, CoreServices, CreateAdapter } from '../../packages/core-adapter/core-services.js';
import { CoreSettingFault, type CoreSettings } from '../../packages/core-adapter/core-settings.js';
import { BootError } from '../config/boot-error.js';
import { settingOfCore } from '../config/core-settings.js';
import { adapters } from '../core-banking/adapters/registry.js';
import { portAgreement } from './port-agreement.js';
import { settingFault } from './renewable-core.js';

/**
 * Creates the adapter of a core.
 *
 * @param name in the registry, or the absolute path of a module that a bank keeps outside the gateway. The module's code
 * runs with all rights of the gateway: only the operator names it.
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
  const { createAdapter } = isAbsolute(name)
    ? await outsideModule(setting, name, services.logger)
    : await registered(adapters, setting, name, ', or to the absolute path of an adapter’s module')();
  if (typeof createAdapter !== 'function')
    throw new BootError(
      `${setting} "${name}" exports no function createAdapter: export one that takes the core’s settings and the gateway’s services`,
    );
  const adapter = await created({ name: core, adapter: name }, () => createAdapter(settings, services));
  const faults = faultsOf(adapter);
  if (faults.length === 0) return adapter;
  throw new BootError(`${setting} "${name}": createAdapter made no adapter: ${faults.join(', ')}`);
}

/** @throws BootError */
export function registered<T>(registry: Readonly<Record<string, T>>, setting: string, name: string, orElse = ''): T {
  const entry = Object.hasOwn(registry, name) ? registry[name] : undefined;
  if (entry !== undefined) return entry;
  throw new BootError(
    `${setting} "${name}" is not known: set it to one of ${Object.keys(registry).join(', ')}${orElse}`,
  );
}

async function created(
  core: Parameters<typeof settingFault>[0],
  create: () => ReturnType<CreateAdapter>,
): Promise<CoreAdapter> {
  try {
    return await create();
  } catch (error) {
    throw error instanceof CoreSettingFault ? settingFault(core, error) : error;
  }
}

interface AdapterModule {
  readonly createAdapter?: CreateAdapter;
  readonly portVersion?: unknown;
}

/** An adapter of the registry is built with the gateway's own port. A module outside brings its copy. */
async function outsideModule(setting: string, path: string, logger: CoreLogger): Promise<AdapterModule> {
  const module = await loaded<AdapterModule>(setting, path);
  // The absence of the function has a line that says more.
  if (module.createAdapter === undefined) return module;
  const agreement = portAgreement(module.portVersion);
  if (!agreement.agrees) throw new BootError(`${setting} "${path}" ${agreement.reason}`);
  if (agreement.warning !== undefined) logger.warn({}, agreement.warning);
  return module;
}

/** A module outside the gateway. @throws BootError */
export async function loaded<Exports>(setting: string, path: string): Promise<Exports> {
  try {
    return (await import(pathToFileURL(path).href)) as Exports;
  } catch (error) {
    throw new BootError(`${setting} "${path}" cannot be loaded: ${loadingFault(error)}`);
  }
}

/** Node's own words where Node found no module in it; the module's own error may quote a secret. */
function loadingFault(error: unknown): string {
  if (!isError(error)) return 'it threw something that is no error';
  const isOfNode = error.name === 'SyntaxError' || ('code' in error && String(error.code).startsWith('ERR_'));
  return isOfNode ? (error.message.split('\n')[0] ?? '') : `it threw ${error.name}`;
}

/** Not by `instanceof`: a loader of modules may have another realm, whose errors have another class. */
function isError(thrown: unknown): thrown is Error {
  return Object.prototype.toString.call(thrown) === '[object Error]';
}

/** The faults that the compiler finds in an adapter that is written in TypeScript. */
function faultsOf(made: unknown): string[] {
  if (typeof made !== 'object' || made === null) return ['it is no object'];
  const adapter = made as Readonly<Record<string, unknown>>;
  const faults: string[] = [];
  if (typeof adapter.name !== 'string' || adapter.name === '') faults.push('name is no text');
  if (!['none', 'id-kept', 'id-changes'].includes(String(adapter.pending)))
    faults.push('pending has another value than none, id-kept and id-changes');
  if (typeof adapter.missing !== 'object' || adapter.missing === null) faults.push('missing is no object');
  for (const method of ['accounts', 'account', 'health', 'close'])
    if (typeof adapter[method] !== 'function') faults.push(`${method} is no function`);
  for (const method of [...accountReads, 'renewCertificates'])
    if (!['function', 'undefined'].includes(typeof adapter[method])) faults.push(`${method} is no function`);
  return faults;
}
