import { isoCode } from '../../../../packages/core-adapter/identifiers.js';
import type { CoreStandingOrder, MandateStatus } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, type Row } from '../../../../packages/core-adapter/core-rows.js';
import {
  currencyOf,
  optionalCodeOf,
  optionalTextOf,
  textOf,
  wordOf,
} from '../../../../packages/core-adapter/row-fields.js';
import { optionalMagnitude, optionalTime } from './ledger.fields.js';
import { toAgent, toIdentification } from './payees.records.js';
import { frequencyOf } from './rhythms.js';

const orderStates: Readonly<Record<string, MandateStatus>> = {
  ON: 'active',
  OFF: 'cancelled',
  DONE: 'expired',
  PAUSED: 'suspended',
};

export function toStandingOrder(row: Row): CoreStandingOrder {
  return {
    id: textOf(row, 'key'),
    frequency: frequencyOf(textOf(row, 'rule')),
    reference: optionalField('reference', () => optionalTextOf(row, 'ref')),
    firstPaymentAt: optionalField('firstPaymentAt', () => optionalTime(row.first, 'first')),
    nextPaymentAt: optionalField('nextPaymentAt', () => optionalTime(row.next, 'next')),
    finalPaymentAt: optionalField('finalPaymentAt', () => optionalTime(row.last, 'last')),
    status: wordOf(row, 'status', orderStates),
    categoryPurpose: optionalField('categoryPurpose', () => optionalCodeOf(row, 'cat', isoCode)),
    nextPaymentAmount: optionalField('nextPaymentAmount', () => optionalMagnitude(row, 'amt', currencyOf(row, 'ccy'))),
    creditor: toIdentification(row),
    creditorAgent: toAgent(row),
  };
}
