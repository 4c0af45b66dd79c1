import type { Environment } from './environment.dto.js';
import { howToMakeSecret, isSecretSetting } from './secrets.js';

export type Setting = keyof Environment;

/** Where only a part of such a group is set, the gateway would look protected without being so. */
export function allOrNone<const Names extends readonly Setting[]>(
  environment: Environment,
  names: Names,
  faults: string[],
): { readonly [Index in keyof Names]: string } | undefined {
  const values = names.map((name) => environment[name] as string | undefined);
  if (values.every((value) => value === undefined)) return undefined;
  if (values.some((value) => value === undefined)) {
    faults.push(`${names.join(', ')} must be set together`);
    sayHowToMake(
      names.filter((name) => environment[name] === undefined),
      faults,
    );
  }
  return values as { readonly [Index in keyof Names]: string };
}

/** Adds a line to `faults` for each missing setting that is a secret. */
export function sayHowToMake(missing: readonly Setting[], faults: string[]): void {
  for (const name of missing.filter(isSecretSetting)) faults.push(`${name} is a secret: ${howToMakeSecret}`);
}
