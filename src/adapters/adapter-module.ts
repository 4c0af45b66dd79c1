import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CoreLogger } from '../../packages/core-adapter/core-services.js';
import { BootError } from '../config/boot-error.js';

/** A port between the gateway and adapters that banks keep in separate repositories, and how the gateway finds the adapters. */
export interface AdapterPort {
  /** The gateway's, as `major.minor.patch`. */
  readonly version: string;
  /** The package's entry from which an adapter's module exports the version with which it was built. */
  readonly entry: string;
  /** The export of an adapter's module that makes the adapter. */
  readonly creates: string;
  /** As the parameter of that function: `the core’s settings`. */
  readonly settings: string;
  /** The modules that are built with the gateway, by the adapter's name. */
  readonly registry: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>>;
}

interface WantedAdapter {
  /** The setting that names the adapter. */
  readonly setting: string;
  /**
   * In the registry, or the absolute path of a module that a bank keeps outside the gateway. The module's code runs with all
   * rights of the gateway: only the operator names it.
   */
  readonly name: string;
  /** Why the adapter refuses one of its settings; `undefined` for another error. */
  readonly settingFault: (error: unknown) => BootError | undefined;
  /** The faults that the compiler finds in an adapter that is written in TypeScript. */
  readonly faultsOf: (adapter: Readonly<Record<string, unknown>>) => readonly string[];
}

/** Makes an adapter. @throws BootError */
export async function makeAdapter<Given extends readonly unknown[], Adapter>(
  port: AdapterPort,
  { setting, name, settingFault, faultsOf }: WantedAdapter,
  logger: CoreLogger,
  ...given: Given
): Promise<Adapter> {
  const module = isAbsolute(name) ? await loaded(setting, name) : await registered(port.registry, setting, name)();
  const create = module[port.creates];
  if (typeof create !== 'function')
    throw new BootError(
      `${setting} "${name}" exports no function ${port.creates}: export one that takes ${port.settings} and the gateway’s services`,
    );
  // An adapter of the registry is built with the gateway's own port. A module outside brings its copy.
  if (isAbsolute(name)) refuseOtherPort(port, `${setting} "${name}"`, module['portVersion'], logger);
  let adapter: unknown;
  try {
    adapter = await (create as (...given: Given) => unknown)(...given);
  } catch (error) {
    throw settingFault(error) ?? error;
  }
  const isObject = typeof adapter === 'object' && adapter !== null;
  const faults = isObject ? faultsOf(adapter as Readonly<Record<string, unknown>>) : ['it is not an object'];
  if (faults.length === 0) return adapter as Adapter;
  throw new BootError(`${setting} "${name}": ${port.creates} returned no adapter: ${faults.join(', ')}`);
}

/** @param stated the export `portVersion` of the adapter's module @throws BootError where the gateway cannot use it */
export function refuseOtherPort(
  { version: own, entry }: Pick<AdapterPort, 'version' | 'entry'>,
  adapter: string,
  stated: unknown,
  logger: Pick<CoreLogger, 'warn'>,
): void {
  const [built, major, minor] = (typeof stated === 'string' && /^(\d+)\.(\d+)\.\d+$/.exec(stated)) || [];
  if (built === undefined)
    throw new BootError(
      `${adapter} states no version of the port: add \`export { portVersion } from '${entry}';\` to its module`,
    );
  const [ownMajor, ownMinor] = own.split('.');
  const both = `was built with version ${built} of the port, and the gateway has ${own}`;
  if (major !== ownMajor) throw new BootError(`${adapter} ${both}: build it with version ${ownMajor}`);
  if (Number(minor) > Number(ownMinor)) logger.warn({}, `the adapter ${both}: parts of it may have no effect`);
}

function registered<T>(registry: Readonly<Record<string, T>>, setting: string, name: string): T {
  const entry = Object.hasOwn(registry, name) ? registry[name] : undefined;
  if (entry !== undefined) return entry;
  throw new BootError(
    `${setting} "${name}" is not known: set it to one of ${Object.keys(registry).join(', ')}, or to the absolute path of an adapter’s module`,
  );
}

async function loaded(setting: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new BootError(`${setting} "${path}" cannot be loaded: ${loadingFault(error)}`);
  }
}

/** Node's own words where Node found no module in it; the module's own error may quote a secret. */
function loadingFault(error: unknown): string {
  if (!isError(error)) return 'it threw a value that is not an Error';
  const isOfNode = error.name === 'SyntaxError' || ('code' in error && String(error.code).startsWith('ERR_'));
  return isOfNode ? (error.message.split('\n')[0] ?? '') : `it threw ${error.name}`;
}

/** Not by `instanceof`: a loader of modules may have another realm, whose errors have another class. */
function isError(thrown: unknown): thrown is Error {
  return Object.prototype.toString.call(thrown) === '[object Error]';
}
