import { join } from 'node:path';
import { BootError } from './boot-error.js';
import { readSetting } from './read-setting.js';
import { listOf } from './setting-kinds.js';

// The settings of a gateway's trail, for the commands that read it.

/** The folder of the trail of a gateway that has the same settings. */
export function readTrailFolder(variables: NodeJS.ProcessEnv = process.env): string {
  return readSetting(variables, 'TRAIL_DIR') ?? join(readDataFolder(variables), 'trail');
}

/** The folder of the reports that are made from it. */
export function readReportsFolder(variables: NodeJS.ProcessEnv = process.env): string {
  return join(readDataFolder(variables), 'reports');
}

/** TRAIL_KEY; `undefined` where it is not set. */
export function readTrailKey(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return readSetting(variables, 'TRAIL_KEY');
}

/** @throws BootError where TRAIL_KEY is not set */
export function readNeededTrailKey(variables: NodeJS.ProcessEnv = process.env): string {
  const key = readTrailKey(variables);
  if (key === undefined)
    throw new BootError('TRAIL_KEY is not set: it must be that of the gateways that wrote the trail');
  return key;
}

/** The present one of PSEUDONYM_KEY; `undefined` where it is not set. */
export function readPseudonymKey(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  const keys = readSetting(variables, 'PSEUDONYM_KEY');
  return keys === undefined ? undefined : listOf(keys)[0];
}

/**
 * The present key and the previous ones.
 * @throws BootError where PSEUDONYM_KEY is not set
 */
export function readPseudonymKeys(variables: NodeJS.ProcessEnv = process.env): readonly string[] {
  const keys = readSetting(variables, 'PSEUDONYM_KEY');
  if (keys === undefined)
    throw new BootError('PSEUDONYM_KEY is not set: it must be that of the gateways that wrote the trail');
  return listOf(keys);
}

function readDataFolder(variables: NodeJS.ProcessEnv): string {
  return readSetting(variables, 'DATA_DIR') ?? './data';
}
