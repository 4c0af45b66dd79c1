import type { CoreParty } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { optionalText, text } from './ledger.fields.js';

export function toParty(row: Row): CoreParty {
  return { ref: text(row.key, 'key'), name: optionalText(row.name, 'name') };
}
