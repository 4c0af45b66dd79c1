import { join } from 'node:path';
import { BootError } from './boot-error.js';
import { readSecret } from './secrets.js';

// The settings of a gateway's trail, for the commands that read it.

/** The folder of the trail of a gateway that has the same settings. */
export function readTrailFolder(variables: NodeJS.ProcessEnv = process.env): string {
  return variables['TRAIL_DIR'] || join(variables['DATA_DIR'] || './data', 'trail');
}

/** The folder of the reports that are made from it. */
export function readReportsFolder(variables: NodeJS.ProcessEnv = process.env): string {
  return join(variables['DATA_DIR'] || './data', 'reports');
}

/** TRAIL_KEY; `undefined` where it is not set. */
export function readTrailKey(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return readSecret(variables, 'TRAIL_KEY') || undefined;
}

/** @throws BootError where TRAIL_KEY is not set */
export function readNeededTrailKey(variables: NodeJS.ProcessEnv = process.env): string {
  const key = readTrailKey(variables);
  if (key === undefined)
    throw new BootError('TRAIL_KEY is not set: it must be that of the gateways that wrote the trail');
  return key;
}

/** PSEUDONYM_KEY; `undefined` where it is not set. */
export function readPseudonymKey(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return readSecret(variables, 'PSEUDONYM_KEY') || undefined;
}

/**
 * The present key and the previous ones.
 * @throws BootError where PSEUDONYM_KEY is not set
 */
export function readPseudonymKeys(variables: NodeJS.ProcessEnv = process.env): readonly string[] {
  const present = readPseudonymKey(variables);
  if (present === undefined)
    throw new BootError('PSEUDONYM_KEY is not set: it must be that of the gateways that wrote the trail');
  const before = (readSecret(variables, 'PSEUDONYM_KEYS_BEFORE') ?? '').split(',').map((key) => key.trim());
  return [present, ...before.filter(Boolean)];
}
