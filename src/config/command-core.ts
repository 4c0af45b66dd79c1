import type { CoreSettings } from '../../packages/core-adapter/core-settings.js';
import { BootError } from './boot-error.js';
import { variablesUnder } from './core-settings.js';
import { withFiles } from './setting-files.js';

/**
 * The core of the gateway that runs by the same settings, for a command that works on its data.
 * @throws BootError without CORE_URL, or with CORES
 */
export function readCoreSettings(variables: NodeJS.ProcessEnv = process.env): { readonly name: string } & CoreSettings {
  const faults: string[] = [];
  const given = withFiles(variables, faults);
  if (faults.length > 0) throw new BootError(faults.join('; '));
  const { CORE: name = 'ledger', CORE_URL: url, CORES } = given;
  if (CORES !== undefined)
    throw new BootError('CORES is set: run this command with CORE, CORE_URL and the other settings of one core');
  if (url === undefined) throw new BootError('CORE_URL must be set');
  return { name, url: url.replace(/\/+$/, ''), connections: 1, variables: variablesUnder('CORE_', given) };
}
