import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CoreLogger } from '../../packages/core-adapter/core-services.js';
import { BootError } from '../config/boot-error.js';
import { portAgreement, type PublishedPort } from './port-agreement.js';

/** A port, and how the gateway finds the adapters of it. */
export interface AdapterPort extends PublishedPort {
  /** The export of an adapter's module that makes the adapter. */
  readonly creates: string;
  /** As the parameter of that function: `the core’s settings`. */
  readonly settings: string;
  /** The modules that are built with the gateway, by the adapter's name. */
  readonly registry: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>>;
}

/**
 * The function that makes an adapter.
 *
 * @param setting that names the adapter
 * @param name in the registry, or the absolute path of a module that a bank keeps outside the gateway. The module's code
 * runs with all rights of the gateway: only the operator names it.
 * @throws BootError
 */
export async function createFunction<Create>(
  port: AdapterPort,
  setting: string,
  name: string,
  logger: CoreLogger,
): Promise<Create> {
  const module = isAbsolute(name) ? await loaded(setting, name) : await registered(port.registry, setting, name)();
  const create = module[port.creates];
  if (typeof create !== 'function')
    throw new BootError(
      `${setting} "${name}" exports no function ${port.creates}: export one that takes ${port.settings} and the gateway’s services`,
    );
  // An adapter of the registry is built with the gateway's own port. A module outside brings its copy.
  if (isAbsolute(name)) refuseOtherPort(port, `${setting} "${name}"`, module['portVersion'], logger);
  return create as Create;
}

function refuseOtherPort(port: PublishedPort, adapter: string, stated: unknown, logger: CoreLogger): void {
  const agreement = portAgreement(stated, port);
  if (!agreement.agrees) throw new BootError(`${adapter} ${agreement.reason}`);
  if (agreement.warning !== undefined) logger.warn({}, agreement.warning);
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
