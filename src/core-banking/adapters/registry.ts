import type { CoreAdapter } from '../../../packages/core-adapter/core.adapter.js';
import type { CoreSettings } from '../../../packages/core-adapter/core-settings.js';

/** Every core that the gateway can be started with, one line each. Only the configured one is loaded. */
export const adapters: Readonly<Record<string, (settings: CoreSettings) => Promise<CoreAdapter>>> = {
  ledger: async (settings) => new (await import('./ledger/ledger.adapter.js')).LedgerAdapter(settings),
  fineract: async (settings) => new (await import('./fineract/fineract.adapter.js')).FineractAdapter(settings),
};
