import { AsyncLocalStorage } from 'node:async_hooks';

/** The interaction id of the request that is being answered: the cause of what happens meanwhile. */
export const causingRequest = new AsyncLocalStorage<string>();
