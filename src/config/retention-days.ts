import { BootError } from './boot-error.js';

/** A hundred years. */
const most = 36_500;

/**
 * The days after the end of a consent at which `retention` erases its customer. The bank decides: there is no default.
 * @throws BootError where it is not set, or is no whole number of days
 */
export function readRetentionDays(
  { RETENTION_DAYS: text = '' }: Readonly<Record<string, string | undefined>> = process.env,
): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= most) return days;
  throw new BootError(
    `RETENTION_DAYS must be the days, from 1 to ${most}, for which the bank keeps the customer of a consent that has ended: nothing was erased`,
  );
}
