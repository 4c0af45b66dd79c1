import { pathToFileURL } from 'node:url';
import { accountReads, type CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import type { CoreSettings } from '../packages/core-adapter/core-settings.js';
import { BootError } from './config/boot-error.js';

/** The export `createAdapter` of the module of an adapter outside the gateway. */
export type CreateAdapter = (settings: CoreSettings) => CoreAdapter | Promise<CoreAdapter>;

/**
 * Loads the adapter that a bank keeps outside the gateway. The module's code runs with all rights of the gateway: only the
 * operator names it.
 *
 * @param path absolute
 * @throws BootError
 */
export async function outsideAdapter(path: string): Promise<CreateAdapter> {
  const { createAdapter } = await loaded(path);
  if (typeof createAdapter !== 'function')
    throw new BootError(`CORE "${path}" exports no function createAdapter: export one that takes the core’s settings`);
  return async (settings) => {
    const adapter: unknown = await createAdapter(settings);
    const faults = faultsOf(adapter);
    if (faults.length === 0) return adapter as CoreAdapter;
    throw new BootError(`CORE "${path}": createAdapter made no adapter: ${faults.join(', ')}`);
  };
}

async function loaded(path: string): Promise<{ readonly createAdapter?: CreateAdapter }> {
  try {
    return (await import(pathToFileURL(path).href)) as { createAdapter?: CreateAdapter };
  } catch (error) {
    throw new BootError(`CORE "${path}" cannot be loaded: ${loadingFault(error)}`);
  }
}

/** Node's own words where Node found no module in it; what the module threw may quote a secret. */
function loadingFault(error: unknown): string {
  if (!(error instanceof Error)) return 'it threw something that is no error';
  const isOfNode = error instanceof SyntaxError || ('code' in error && String(error.code).startsWith('ERR_'));
  return isOfNode ? (error.message.split('\n')[0] ?? '') : `it threw ${error.name}`;
}

/** The faults that the compiler finds in an adapter that is written in TypeScript. */
function faultsOf(made: unknown): string[] {
  if (typeof made !== 'object' || made === null) return ['it is no object'];
  const adapter = made as Readonly<Record<string, unknown>>;
  const faults: string[] = [];
  if (typeof adapter.name !== 'string' || adapter.name === '') faults.push('name is no text');
  if (!['none', 'id-kept', 'id-changes'].includes(String(adapter.pending))) faults.push('pending is none of its words');
  if (typeof adapter.missing !== 'object' || adapter.missing === null) faults.push('missing is no object');
  for (const method of ['accounts', 'account', 'health', 'close'])
    if (typeof adapter[method] !== 'function') faults.push(`${method} is no function`);
  for (const read of accountReads)
    if (!['function', 'undefined'].includes(typeof adapter[read])) faults.push(`${read} is no function`);
  return faults;
}
