import type { CreateAdapter } from '../../../packages/core-adapter/core-services.js';

/** The module of each core that the gateway can be started with, one line each. Only the configured one is loaded. */
export const adapters: Readonly<Record<string, () => Promise<{ readonly createAdapter: CreateAdapter }>>> = {
  ledger: () => import('./ledger/ledger.adapter.js'),
  fineract: () => import('./fineract/fineract.adapter.js'),
  sql: () => import('./sql/sql.adapter.js'),
  feed: () => import('./feed/feed.adapter.js'),
};

export type { LoadOutcome, LoadProgress } from './feed/delivery-loading.js';

/** The module that loads deliveries into the copy of a core which the adapter `feed` reads. Loaded only by its command. */
export const feedLoader = () => import('./feed/delivery.loader.js');
