import { cardLastFour } from '../../../../packages/core-adapter/account-numbers.js';
import { lei } from '../../../../packages/core-adapter/identifiers.js';
import type { CoreAccount } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import {
  currencyOf,
  optionalCodeOf,
  optionalTextOf,
  textOf,
  wordOf,
} from '../../../../packages/core-adapter/row-fields.js';

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
    description: optionalField('description', () => optionalTextOf(row, 'label')),
    permitted: wordOf(row, 'status', permittedStates),
    holder: wordOf(row, 'segment', holders),
    sortCode: optionalField('sortCode', () => optionalTextOf(row, 'sort')),
    accountNumber: optionalField('accountNumber', () => optionalTextOf(row, 'num')),
    iban: optionalField('iban', () => optionalTextOf(row, 'iban')),
    lei: optionalField('lei', () => optionalCodeOf(row, 'lei', lei)),
    cardLastFour: optionalField('cardLastFour', () => lastFour(row)),
  };
}

/** The ledger sends the whole card number; the gateway keeps only its last four digits. */
function lastFour(row: Row): string | undefined {
  const card = optionalTextOf(row, 'card');
  if (card === undefined) return undefined;
  const digits = cardLastFour(card);
  if (digits === undefined) throw new RowFault('card', 'not a card number');
  return digits;
}
