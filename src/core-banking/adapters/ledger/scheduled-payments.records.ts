import type { CoreScheduledPayment } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, type Row } from '../../../../packages/core-adapter/core-rows.js';
import {
  currencyOf,
  notNegative,
  optionalTextOf,
  textOf,
  integerOf,
  wordOf,
} from '../../../../packages/core-adapter/row-fields.js';
import { money, time } from './ledger.fields.js';
import { toAgent, toIdentification } from './payees.records.js';

const dueTypes: Readonly<Record<string, CoreScheduledPayment['type']>> = { OUT: 'execution', ARR: 'arrival' };

export function toScheduledPayment(row: Row): CoreScheduledPayment {
  return {
    id: textOf(row, 'key'),
    dueAt: time(row.on, 'on'),
    type: wordOf(row, 'how', dueTypes),
    reference: optionalField('reference', () => optionalTextOf(row, 'ref')),
    amount: money(notNegative(integerOf(row, 'amt'), 'amt'), currencyOf(row, 'ccy')),
    creditor: toIdentification(row),
    creditorAgent: toAgent(row),
  };
}
