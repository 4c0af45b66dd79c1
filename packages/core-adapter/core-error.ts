import type { ConnectFault } from './connect-fault.js';

/**
 * The closed list of faults of a core. An adapter throws nothing else, and the gateway has one answer for each kind.
 * `stale`: the adapter reads a copy of the core's data, and the copy is older than the bank allows. `detail` is for the
 * bank's log: it names the boundary and the fault, and never has the core's words, a customer's data or a secret.
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
    /** The fault and its boundary, in words of the adapter. */
    readonly detail: string,
    /** How many whole seconds the core asked its callers to wait (`rate-limited`, `unavailable`). */
    readonly retryAfterSeconds?: number,
    /** With `unavailable`, why the connection failed. Operators read it. */
    readonly connectFault?: ConnectFault,
  ) {
    super(`${kind}: ${detail}`);
  }
}

/** Use it instead of `instanceof`, which does not recognise an error of another copy of the port. */
export function isCoreError(error: unknown): error is CoreError {
  return hasName(error, 'CoreError') && 'kind' in error && coreErrorKinds.some((kind) => kind === error.kind);
}

/** Whether the value is an error with this name, of whichever copy of the port. */
export function hasName(error: unknown, name: string): error is Error {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === name;
}
