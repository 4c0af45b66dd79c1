import type { CoreDirectDebit, MandateStatus } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { textOf, wordOf } from '../../../../packages/core-adapter/row-fields.js';

const mandateStates: Readonly<Record<string, MandateStatus>> = {
  LIVE: 'active',
  STOPPED: 'cancelled',
  LAPSED: 'expired',
  PAUSED: 'suspended',
};

export function toDirectDebit(row: Row): CoreDirectDebit {
  return {
    id: textOf(row, 'key'),
    mandate: textOf(row, 'mandate'),
    status: wordOf(row, 'status', mandateStates),
    name: textOf(row, 'taker'),
  };
}
