import { readFileSync } from 'node:fs';
import { BootError } from './boot-error.js';

export const secretSettings = [
  'BANK_CREDENTIAL',
  'BANK_CREDENTIAL_NEXT',
  'OPERATOR_CREDENTIAL',
  'ID_KEY',
  'KEY_ENCRYPTION_KEY',
  'TRAIL_KEY',
  'PSEUDONYM_KEY',
  'PSEUDONYM_KEYS_BEFORE',
  'CUSTOMER_AUTHENTICATION_CREDENTIAL',
  'PROXY_SECRET',
  'PROXY_SECRET_NEXT',
  'DATABASE_URL',
] as const;

/** The secrets of an adapter, also of a bank's adapter, are recognised by the end of their names. */
const secretOfAdapter = /^(CORE|CUSTOMER_AUTHENTICATION)_(\w+_)?(PASSWORD|SECRET|TOKEN|CREDENTIAL)$/;

/** A command that makes a strong secret, as the end of a sentence. */
export const howToMakeSecret = 'make one with `openssl rand -hex 32`';

export function isSecretSetting(name: string): boolean {
  return (secretSettings as readonly string[]).includes(name) || secretOfAdapter.test(name);
}

/**
 * The value of one secret, from its variable or from the file that `<NAME>_FILE` names: several processes can read the
 * environment.
 * @throws BootError where both are set, or the file holds no value
 */
export function readSecret(variables: NodeJS.ProcessEnv, name: string): string | undefined {
  const path = variables[`${name}_FILE`];
  if (path === undefined || path === '') return variables[name];
  if (variables[name]) throw new BootError(`${name} and ${name}_FILE exclude each other: set one of them`);
  const content = contentOf(name, path);
  if (content === '') throw new BootError(`${name}_FILE "${path}" is empty: write the secret into it`);
  return content;
}

/** The settings, with each secret that is in a file. Each refusal of {@link readSecret} is a line in `faults`. */
export function withSecretsOfFiles(
  given: Readonly<Record<string, string>>,
  faults: string[],
): Readonly<Record<string, string>> {
  const read: Record<string, string> = {};
  for (const file of Object.keys(given)) {
    const name = file.replace(/_FILE$/, '');
    if (name === file || !isSecretSetting(name)) continue;
    try {
      read[name] = readSecret(given, name) ?? '';
    } catch (error) {
      if (!(error instanceof BootError)) throw error;
      faults.push(error.message);
    }
  }
  return { ...given, ...read };
}

function contentOf(name: string, path: string): string {
  try {
    // Editors and `echo` end a file with a line break, which does not belong to the secret.
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new BootError(`${name}_FILE "${path}" cannot be read: name a readable file that holds the secret`);
  }
}
