import { readFile } from 'node:fs/promises';
import { plainToInstance } from 'class-transformer';
import { BootError } from '../config/boot-error.js';
import { propertyFaults } from '../config/property-faults.js';
import { OutsideProfile } from './outside-profile.dto.js';
import type { Profile } from './profile.js';

/** Reads the profile of a bank from a JSON file; its content is not checked yet. @throws BootError */
export async function readOutsideProfile(path: string): Promise<Profile> {
  const content = await parsed(path);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw unusable(path, ['it must hold a JSON object']);
  const profile = plainToInstance(OutsideProfile, content);
  const faults = propertyFaults(profile);
  if (faults.length > 0) throw unusable(path, faults);
  return profile;
}

/** @param name the name of the profile, or the path of its file */
export function unusable(name: string, faults: readonly string[]): BootError {
  return new BootError(`PROFILE ${name} cannot be used, mend its file: ${faults.join('; ')}`);
}

async function parsed(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    throw new BootError(`PROFILE ${path} is not ${error instanceof SyntaxError ? 'valid JSON' : 'a readable file'}`);
  }
}
