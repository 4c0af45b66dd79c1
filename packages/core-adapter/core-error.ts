import type { ConnectFault } from './connect-fault.js';
import { hasName } from './error-name.js';

/**
 * Everything that may go wrong at the core, closed. An adapter throws nothing else; the gateway maps each kind to one
 * answer. `stale`: the data are a copy of the core's, and older than the bank allows to be shown. `detail` is for the bank's
 * log: it names the boundary and the fault and never carries the core's words, a customer's data or a secret.
 */
export const coreErrorKinds = [
  'account-not-found',
  'account-not-permitted',
  'unavailable',
  'timeout',
  'rate-limited',
  'bad-record',
  'stale',
] as const;
export type CoreErrorKind = (typeof coreErrorKinds)[number];

export class CoreError extends Error {
  override readonly name = 'CoreError';

  constructor(
    readonly kind: CoreErrorKind,
    /** The event and its boundary, in our own words. */
    readonly detail: string,
    /** The wait that the core demanded, if it did (`rate-limited`, `unavailable`). Whole seconds. */
    readonly retryAfterSeconds?: number,
    /** With `unavailable`, where the connection is at fault: the operators read it. */
    readonly connectFault?: ConnectFault,
  ) {
    super(`${kind}: ${detail}`);
  }
}

/** Use it instead of `instanceof`: an adapter of a separate repository throws the class of its own copy of the port. */
export function isCoreError(error: unknown): error is CoreError {
  return hasName(error, 'CoreError') && 'kind' in error && coreErrorKinds.some((kind) => kind === error.kind);
}
