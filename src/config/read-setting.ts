import { readFileSync } from 'node:fs';
import { BootError } from './boot-error.js';

/**
 * The value of one setting, from its variable or from the file that `<NAME>_FILE` names: other processes can read the
 * environment. `undefined` where it is absent or empty.
 * @throws BootError where both are set, or the file holds no value
 */
export function readSetting(variables: NodeJS.ProcessEnv, name: string): string | undefined {
  const path = variables[`${name}_FILE`];
  if (path === undefined || path === '') return variables[name] || undefined;
  if (variables[name]) throw new BootError(`${name} and ${name}_FILE exclude each other: set one of them`);
  const content = contentOf(path);
  if (content === undefined)
    throw new BootError(`${name}_FILE "${path}" cannot be read: name a readable file that holds the value of ${name}`);
  if (content === '') throw new BootError(`${name}_FILE "${path}" is empty: write the value of ${name} into it`);
  return content;
}

/** Editors and `echo` end a file with a line break, which does not belong to the value. */
export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}
