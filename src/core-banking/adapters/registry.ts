import type { CreateAdapter } from '../../../packages/core-adapter/core-services.js';
import type { LoadDelivery } from './feed/delivery-loading.js';

/** The module of each core that the gateway can be started with, one line each. Only the configured one is loaded. */
export const adapters: Readonly<Record<string, () => Promise<{ readonly createAdapter: CreateAdapter }>>> = {
  ledger: () => import('./ledger/ledger.adapter.js'),
  fineract: () => import('./fineract/fineract.adapter.js'),
  sql: () => import('./sql/sql.adapter.js'),
  feed: () => import('./feed/feed.adapter.js'),
};

/** For each core that the gateway reads as a copy: the module that loads a delivery into the copy. */
export const loaders: Readonly<Record<string, () => Promise<{ readonly loadDelivery: LoadDelivery }>>> = {
  feed: () => import('./feed/delivery.loader.js'),
};
export type { LoadOutcome, LoadProgress } from './feed/delivery-loading.js';
