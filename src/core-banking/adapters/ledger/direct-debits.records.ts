import type { CoreDirectDebit } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { text, word } from './ledger.fields.js';

const mandateStates: Readonly<Record<string, boolean>> = { LIVE: true, LAPSED: false };

export function toDirectDebit(row: Row): CoreDirectDebit {
  return {
    id: text(row.key, 'key'),
    mandate: text(row.mandate, 'mandate'),
    active: word(mandateStates, row.status, 'status'),
    name: text(row.taker, 'taker'),
  };
}
