import type { CoreAdapter } from '../core.adapter.js';

/** What the configuration knows of a core: where it is, and how many connections to it may be open at once. */
export interface CoreSettings {
  readonly url: string;
  readonly connections: number;
}

/** Every core that the gateway can be started with, one line each. Only the configured one is loaded. */
export const adapters: Readonly<Record<string, (settings: CoreSettings) => Promise<CoreAdapter>>> = {
  ledger: async (settings) => new (await import('./ledger/ledger.adapter.js')).LedgerAdapter(settings),
};
