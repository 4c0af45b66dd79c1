import { channel } from 'node:diagnostics_channel';

/** A row of the core, and the record that it became or why it became none. It holds a customer's data. */
export interface TranslatedRow {
  readonly row: unknown;
  readonly item?: unknown;
  readonly fault?: string;
}

/**
 * Node's diagnostics channel of each {@link TranslatedRow}. `npm run adapter -- preview` listens to it, also where an
 * adapter brings a copy of this package; the gateway does not.
 */
export const rowsChannel = channel('account-information-core-adapter:rows');
