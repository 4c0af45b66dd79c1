import { readFile } from 'node:fs/promises';
import { BootError } from '../config/boot-error.js';

/** Reads the profile of a bank from a JSON file; its content is not checked yet. @throws BootError */
export async function readOutsideProfile(path: string): Promise<object> {
  const content = await parsed(path);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw unusable(path, ['it must hold a JSON object']);
  return content;
}

/** @param name the name of the profile, or the path of its file */
export function unusable(name: string, faults: readonly string[]): BootError {
  return new BootError(`PROFILE ${name} cannot be used, fix its file: ${faults.join('; ')}`);
}

async function parsed(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    throw new BootError(`PROFILE ${path} is not ${error instanceof SyntaxError ? 'valid JSON' : 'a readable file'}`);
  }
}
