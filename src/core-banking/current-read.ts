import { AsyncLocalStorage } from 'node:async_hooks';

/** A read of the core that runs now. */
export interface CurrentRead {
  readonly interactionId: string;
  /** The span of the read, as the header `traceparent` of W3C Trace Context; absent where no traces are taken. */
  readonly traceparent?: string;
}

/**
 * The read that runs now, for the lines of an adapter's logger and the headers of its HTTP client: so an adapter has one of
 * each, and passes no context through its code for them.
 */
export const currentRead = new AsyncLocalStorage<CurrentRead>();
