import { readFileSync } from 'node:fs';
import { BootError } from '../../config/boot-error.js';
import type { TppEntry } from './tpp-entry.js';
import type { TppRegistry } from './tpp.registry.js';

/**
 * Registers the TPPs of a JSON file, a list of entries: those that are new, and the changes of those that are known. One
 * that was suspended stays suspended, and one that the file does not name stays as it is. A file with a fault changes
 * nothing.
 * @throws BootError with the file, the path of the member at fault and never its value
 */
export async function registerTppsOfFile(file: string, registry: TppRegistry): Promise<void> {
  const refuse = (fault: string): never => {
    throw new BootError(`TPPS_FILE "${file}" ${fault}`);
  };
  const entries = parsed(file, refuse);
  const seen = new Set<unknown>();
  for (const [index, entry] of entries.entries()) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      return refuse(`[${index}] must be an object`);
    const fault = await registry.faultOfEntry(entry);
    if (fault !== undefined) refuse(`[${index}].${fault.replace(/\.$/, '')}`);
    const { clientId } = entry as TppEntry;
    if (seen.has(clientId)) refuse(`[${index}].clientId is that of an entry before`);
    seen.add(clientId);
  }
  for (const entry of entries) await registry.put(entry as TppEntry);
}

function parsed(file: string, refuse: (fault: string) => never): readonly unknown[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return refuse(`is not ${error instanceof SyntaxError ? 'valid JSON' : 'a readable file'}`);
  }
  return Array.isArray(content) ? content : refuse('must hold a JSON list of TPPs');
}
