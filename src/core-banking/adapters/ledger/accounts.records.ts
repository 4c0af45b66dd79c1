import type { CoreAccount, CoreProduct } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { currency, matching, optionalText, text, word } from './ledger.fields.js';

const products: Readonly<Record<string, CoreProduct>> = {
  CUR100: 'CurrentAccount',
  CUR200: 'CurrentAccount',
  SAV300: 'Savings',
  CRD400: 'CreditCard',
  RWD500: 'RewardsPayPlus',
  RUP600: 'RoundUp',
};
const permittedStates: Readonly<Record<string, boolean>> = { OPEN: true, DORM: true, BARRED: false, CLOSED: false };
const holders: Readonly<Record<string, CoreAccount['holder']>> = { P: 'personal', B: 'business' };

export function toAccount(row: Row): CoreAccount {
  return {
    ref: text(row.key, 'key'),
    product: word(products, row.prod, 'prod'),
    currency: currency(row.ccy, 'ccy'),
    description: optionalText(row.label, 'label'),
    permitted: word(permittedStates, row.status, 'status'),
    holder: word(holders, row.segment, 'segment'),
    sortCode: matching(/^\d{6}$/, row.sort, 'sort'),
    accountNumber: matching(/^\d{8}$/, row.num, 'num'),
    iban: matching(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, row.iban, 'iban'),
    // The ledger sends the whole card number; the gateway keeps only its last four digits.
    cardLastFour: matching(/^\d{13,19}$/, row.card, 'card')?.slice(-4),
  };
}
