import type { CoreAdapter } from '../../../packages/core-adapter/core.adapter.js';
import type { Row } from '../../../packages/core-adapter/core-rows.js';
import type { CoreServices } from '../../../packages/core-adapter/core-services.js';
import type { CoreSettings } from '../../../packages/core-adapter/core-settings.js';

/** A row of the list `name`, and the record that it becomes, or the field and the reason why it becomes none. */
export interface SeenRow {
  readonly name: string;
  readonly row: Row;
  readonly record?: unknown;
  readonly fault?: string;
}

/** `createAdapter` for an adapter that shows each row that it translates. For the tools alone: rows are customers' data. */
export type CreateWatchedAdapter = (
  settings: CoreSettings,
  services: CoreServices,
  see: (row: SeenRow) => void,
) => Promise<CoreAdapter>;
