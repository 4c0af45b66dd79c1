import { isMarked } from './marks.js';

/**
 * Everything that may go wrong at the core, closed. An adapter throws nothing else; the gateway maps each kind to one
 * answer. `detail` is for the bank's log: it names the boundary and the fault and never carries what the core said,
 * a customer's data or a secret.
 */
export const coreErrorKinds = [
  'account-not-found',
  'account-not-permitted',
  'unavailable',
  'timeout',
  'rate-limited',
  'bad-record',
] as const;
export type CoreErrorKind = (typeof coreErrorKinds)[number];

const mark = Symbol.for('account-information-gateway.CoreError');

export class CoreError extends Error {
  override readonly name = 'CoreError';

  constructor(
    readonly kind: CoreErrorKind,
    /** The event and its boundary, in our own words. */
    readonly detail: string,
    /** The wait that the core demanded, if it did (`rate-limited`, `unavailable`). Whole seconds. */
    readonly retryAfterSeconds?: number,
  ) {
    super(`${kind}: ${detail}`);
  }

  /** Of the class and not of each error, which would show it wherever it is printed. */
  get [mark](): boolean {
    return true;
  }

  /** True of another copy's errors too, as long as this one knows their kind. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMarked(value, mark) && 'kind' in value && coreErrorKinds.some((kind) => kind === value.kind);
  }
}
