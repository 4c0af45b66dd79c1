import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The interaction id of the read that runs now, for the lines of an adapter's logger: so an adapter has one logger, and
 * passes no context through its code only to log.
 */
export const interactionOfRead = new AsyncLocalStorage<string>();
