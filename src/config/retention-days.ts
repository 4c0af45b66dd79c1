import { BootError } from './boot-error.js';
import { readSetting } from './read-setting.js';
import { readTrailFolder, readTrailKey } from './trail-command.js';

/** A hundred years. */
const most = 36_500;

/**
 * The days after the end of a consent at which `retention` erases its customer. The bank decides: there is no default.
 * @throws BootError where it is not set, or is not a whole number of days
 */
export function readRetentionDays(variables: NodeJS.ProcessEnv = process.env): number {
  const days = daysIn(readSetting(variables, 'RETENTION_DAYS') ?? '');
  if (days !== undefined) return days;
  throw new BootError(
    `RETENTION_DAYS must be the days, from 1 to ${most}, for which the bank keeps the customer of a consent that has ended: nothing was erased`,
  );
}

/** The retention of the trail in this machine's folder. */
export interface TrailRetention {
  readonly days: number;
  readonly directory: string;
  /** TRAIL_KEY, which signs the record of a deleted day. */
  readonly key: string;
}

/**
 * `undefined` where TRAIL_RETENTION_DAYS is not set: the trail is kept.
 * @throws BootError where it is not a whole number of days, or TRAIL_KEY is not set
 */
export function readTrailRetention(variables: NodeJS.ProcessEnv = process.env): TrailRetention | undefined {
  const text = readSetting(variables, 'TRAIL_RETENTION_DAYS');
  if (text === undefined) return undefined;
  const days = daysIn(text);
  if (days === undefined)
    throw new BootError(
      `TRAIL_RETENTION_DAYS must be the days, from 1 to ${most}, for which the bank keeps the trail: nothing was removed`,
    );
  const key = readTrailKey(variables);
  if (key === undefined)
    throw new BootError('TRAIL_KEY is not set: it signs the record of a deleted day, and must be that of the gateways');
  return { days, directory: readTrailFolder(variables), key };
}

function daysIn(text: string): number | undefined {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= most ? days : undefined;
}
