import type { LoadDelivery } from './feed/delivery-loading.js';

export type { LoadOutcome, LoadProgress } from './feed/delivery-loading.js';

/** For each core that the gateway reads as a copy: the module that loads a delivery into the copy. */
export const loaders: Readonly<Record<string, () => Promise<{ readonly loadDelivery: LoadDelivery }>>> = {
  feed: () => import('./feed/delivery.loader.js'),
};
