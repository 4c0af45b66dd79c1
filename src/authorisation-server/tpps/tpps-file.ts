import { readFileSync } from 'node:fs';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BootError } from '../../config/boot-error.js';
import type { TppEntry } from './tpp-entry.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { TppRegistry } from './tpp.registry.js';

@Injectable()
export class TppsFile implements OnModuleInit {
  constructor(
    private readonly settings: AuthorisationSettings,
    private readonly registry: TppRegistry,
  ) {}

  /** @throws BootError */
  async onModuleInit(): Promise<void> {
    const { tppsFile } = this.settings.config;
    if (tppsFile !== undefined) await registerTppsOfFile(tppsFile, this.registry);
  }
}

/**
 * Registers and changes TPPs by a JSON file with a list of entries. A suspended TPP stays suspended, and a TPP that the file
 * does not name stays as it is. A file with a fault changes nothing.
 * @throws BootError with the file, the path of the member at fault and never its value
 */
export async function registerTppsOfFile(file: string, registry: TppRegistry): Promise<void> {
  const refuse = (fault: string): never => {
    throw new BootError(`TPPS_FILE "${file}" ${fault}`);
  };
  const entries = parsed(file, refuse);
  const earlier = new Set<unknown>();
  for (const [index, entry] of entries.entries()) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      return refuse(`[${index}] must be an object`);
    const fault = await registry.faultOfEntry(entry);
    if (fault !== undefined) refuse(`[${index}].${fault.replace(/\.$/, '')}`);
    const { clientId } = entry as TppEntry;
    if (earlier.has(clientId)) refuse(`[${index}].clientId occurs in an earlier entry`);
    earlier.add(clientId);
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
