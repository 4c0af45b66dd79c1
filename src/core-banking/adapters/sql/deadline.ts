import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import { unlessAborted } from '../../../../packages/core-adapter/unless-aborted.js';

/** The same promise, or a timeout as soon as the signal fires. */
export function before<T>(signal: AbortSignal, awaited: Promise<T>): Promise<T> {
  return unlessAborted(
    signal,
    awaited,
    () => new CoreError('timeout', 'the database did not answer before the deadline'),
  );
}
