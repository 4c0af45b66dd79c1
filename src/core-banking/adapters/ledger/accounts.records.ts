import type { CoreAccount } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { wordOf } from '../../../../packages/core-adapter/code-words.js';
import { currencyOf, optionalMatchOf, optionalTextOf, textOf } from '../../../../packages/core-adapter/row-fields.js';

const products: Readonly<Record<string, string>> = {
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
    ref: textOf(row, 'key'),
    product: wordOf(row, 'prod', products),
    currency: currencyOf(row, 'ccy'),
    description: optionalTextOf(row, 'label'),
    permitted: wordOf(row, 'status', permittedStates),
    holder: wordOf(row, 'segment', holders),
    sortCode: optionalMatchOf(row, 'sort', /^\d{6}$/),
    accountNumber: optionalMatchOf(row, 'num', /^\d{8}$/),
    iban: optionalMatchOf(row, 'iban', /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/),
    // The ledger sends the whole card number; the gateway keeps only its last four digits.
    cardLastFour: optionalMatchOf(row, 'card', /^\d{13,19}$/)?.slice(-4),
  };
}
