import type { CoreScheduledPayment } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { currency, money, notNegative, optionalText, text, time, whole, word } from './ledger.fields.js';
import { toIdentification } from './payees.records.js';

const dueTypes: Readonly<Record<string, CoreScheduledPayment['type']>> = { OUT: 'execution', ARR: 'arrival' };

export function toScheduledPayment(row: Row): CoreScheduledPayment {
  return {
    id: text(row.key, 'key'),
    dueAt: time(row.on, 'on'),
    type: word(dueTypes, row.how, 'how'),
    reference: optionalText(row.ref, 'ref'),
    amount: money(notNegative(whole(row.amt, 'amt'), 'amt'), currency(row.ccy, 'ccy')),
    creditor: toIdentification(row.payee),
  };
}
