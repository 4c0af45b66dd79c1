import type { Type } from '@nestjs/common';
import type { CoreAdapter } from '../../../packages/core-adapter/core.adapter.js';

/** Every core that the gateway can be started with, one line each. Only the configured one is loaded, and Nest creates it. */
export const adapters: Readonly<Record<string, () => Promise<Type<CoreAdapter>>>> = {
  ledger: async () => (await import('./ledger/ledger.adapter.js')).LedgerAdapter,
  fineract: async () => (await import('./fineract/fineract.adapter.js')).FineractAdapter,
};
