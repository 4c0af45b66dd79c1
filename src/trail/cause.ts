import { AsyncLocalStorage } from 'node:async_hooks';

/** The interaction id of the request that is being answered, which causes the events that come meanwhile. */
export const causingRequest = new AsyncLocalStorage<string>();
