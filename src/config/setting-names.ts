import { CoreOfSeveral } from './core-environment.dto.js';
import { CommandEnvironment, Environment } from './environment.dto.js';
import { declaredSettings } from './setting.js';

/** Every setting that the gateway or its commands read; those of an adapter are the adapter's own. */
export const settings = [
  ...declaredSettings(Environment),
  ...declaredSettings(CoreOfSeveral).filter(({ name }) => name === 'CORE_ADAPTER' || name === 'CORE_HOLDS'),
  ...declaredSettings(CommandEnvironment),
];

export const settingNames: ReadonlySet<string> = new Set(settings.map(({ name }) => name));

/** The names, and those by which each setting may be in a file. */
export function withFileNames(names: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].flatMap((name) => [name, `${name}_FILE`]));
}

export const secretSettings: readonly string[] = settings.filter(({ secret }) => secret).map(({ name }) => name);

/** The secrets of an adapter, also of a bank's adapter, are recognised by the end of their names. */
const secretOfAdapter = /^(CORE|CUSTOMER_AUTHENTICATION)_(\w+_)?(PASSWORD|SECRET|TOKEN|CREDENTIAL)$/;

export function isSecretSetting(name: string): boolean {
  return secretSettings.includes(name) || secretOfAdapter.test(name);
}
