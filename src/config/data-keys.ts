import { BootError } from './boot-error.js';
import type { GatewayConfig } from './config.js';
import { readSetting } from './read-setting.js';
import { readPseudonymKeys } from './trail-command.js';

/** The settings of the keys on which the data in a database depend. */
export const dataKeySettings = ['ID_KEY', 'PSEUDONYM_KEY', 'TRAIL_KEY'] as const;
export type DataKeySetting = (typeof dataKeySettings)[number];

/** The present key of each setting, then the previous ones of PSEUDONYM_KEY. */
export type DataKeys = Readonly<Record<DataKeySetting, readonly string[]>>;

export function dataKeysOf({ idKey, trail }: Pick<GatewayConfig, 'idKey' | 'trail'>): DataKeys {
  return { ID_KEY: [idKey], PSEUDONYM_KEY: trail.pseudonymKeys, TRAIL_KEY: [trail.key] };
}

/**
 * The keys of one setting, for a command.
 * @throws BootError where it is not set
 */
export function readDataKeys(
  setting: DataKeySetting,
  variables: NodeJS.ProcessEnv = process.env,
): DataKeys[DataKeySetting] {
  if (setting === 'PSEUDONYM_KEY') return readPseudonymKeys(variables);
  const key = readSetting(variables, setting);
  if (key === undefined) throw new BootError(`${setting} is not set: it must be the one that the gateways will have`);
  return [key];
}
