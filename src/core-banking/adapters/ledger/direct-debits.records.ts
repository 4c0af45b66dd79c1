import type { CoreDirectDebit, MandateStatus } from '../../../../packages/core-adapter/core.records.js';
import { isoCode } from '../../../../packages/core-adapter/identifiers.js';
import { optionalField, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { optionalCodeOf, optionalTextOf, textOf, wordOf } from '../../../../packages/core-adapter/row-fields.js';
import { optionalTime } from './ledger.fields.js';
import { optionalFrequency } from './rhythms.js';

const mandateStates: Readonly<Record<string, MandateStatus>> = {
  LIVE: 'active',
  STOPPED: 'cancelled',
  LAPSED: 'expired',
  PAUSED: 'suspended',
};
const classifications: Readonly<Record<string, CoreDirectDebit['classification']>> = {
  FIX: 'fixed',
  VAR: 'variable',
  USE: 'usage-based',
};

export function toDirectDebit(row: Row): CoreDirectDebit {
  return {
    id: textOf(row, 'key'),
    mandate: textOf(row, 'mandate'),
    status: wordOf(row, 'status', mandateStates),
    name: textOf(row, 'taker'),
    frequency: optionalField('frequency', () => optionalFrequency(row)),
    classification: optionalField('classification', () =>
      row.amount === undefined ? undefined : wordOf(row, 'amount', classifications),
    ),
    categoryPurpose: optionalField('categoryPurpose', () => optionalCodeOf(row, 'cat', isoCode)),
    firstPaymentAt: optionalField('firstPaymentAt', () => optionalTime(row.first ?? '', 'first')),
    finalPaymentAt: optionalField('finalPaymentAt', () => optionalTime(row.last ?? '', 'last')),
    reason: optionalField('reason', () => optionalTextOf(row, 'why')),
  };
}
