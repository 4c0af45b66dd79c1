import type { Environment } from './environment.dto.js';
import { howToMakeSecret } from './secrets.js';
import { isSecretSetting } from './setting-names.js';

export type Setting = keyof Environment;

/** Where only a part of such a group is set, the gateway would look protected without being so. */
export function allOrNone<const Names extends readonly Setting[]>(
  environment: Environment,
  names: Names,
  faults: string[],
): { readonly [Index in keyof Names]: NonNullable<Environment[Names[Index]]> } | undefined {
  const values: readonly unknown[] = names.map((name) => environment[name]);
  if (values.every((value) => value === undefined)) return undefined;
  if (values.some((value) => value === undefined)) {
    faults.push(`${names.join(', ')} must be set together`);
    sayHowToMake(
      names.filter((name) => environment[name] === undefined),
      faults,
    );
  }
  return values as { readonly [Index in keyof Names]: NonNullable<Environment[Names[Index]]> };
}

/** Adds a line to `faults` for each missing setting that is a secret. */
export function sayHowToMake(missing: readonly Setting[], faults: string[]): void {
  for (const name of missing.filter(isSecretSetting)) faults.push(`${name} is a secret: ${howToMakeSecret}`);
}
