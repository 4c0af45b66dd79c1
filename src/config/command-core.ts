import type { CoreSettings } from '../../packages/core-adapter/core-settings.js';
import { BootError } from './boot-error.js';

/**
 * The core of the gateway that runs by the same settings, for a command that works on its data.
 * @throws BootError without CORE_URL, or with CORES
 */
export function readCoreSettings(variables: NodeJS.ProcessEnv = process.env): { readonly name: string } & CoreSettings {
  const { CORE: name = 'ledger', CORE_URL: url, CORES } = variables;
  if (CORES !== undefined)
    throw new BootError('CORES is set: run this command with CORE, CORE_URL and the other settings of one core');
  if (!url) throw new BootError('CORE_URL must be set');
  const own = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[0].startsWith('CORE_') && entry[1] !== undefined,
  );
  return { name, url: url.replace(/\/+$/, ''), connections: 1, variables: Object.fromEntries(own) };
}
