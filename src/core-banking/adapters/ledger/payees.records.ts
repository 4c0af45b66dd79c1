import { payeeNumber } from '../../../../packages/core-adapter/account-numbers.js';
import type { CoreAccountIdentification } from '../../../../packages/core-adapter/core.parties.js';
import { optionalField, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { optionalTextOf, partOf, textOf, wordOf } from '../../../../packages/core-adapter/row-fields.js';

const reaches: Readonly<Record<string, boolean>> = { DOM: true, INT: false };

/** Domestic scheduled payments and standing orders only. International ones never become a record. */
export function isDomestic(row: Row): boolean {
  return wordOf(row, 'reach', reaches);
}

const forms: Readonly<Record<string, CoreAccountIdentification['scheme']>> = {
  UKACC: 'sort-code',
  IBAN: 'iban',
  BBAN: 'bban',
};

/** The ledger writes identifications as people type them, with blanks and dashes. */
export function toIdentification(row: Row): CoreAccountIdentification {
  return partOf(row, 'payee', readIdentification);
}

function readIdentification(payee: Row): CoreAccountIdentification {
  const scheme = wordOf(payee, 'form', forms);
  const identification = payeeNumber(scheme, textOf(payee, 'id'));
  if (identification === undefined) throw new RowFault('id', 'not a number of its form');
  const name = optionalField('creditor.name', () => optionalTextOf(payee, 'name'));
  return { scheme, identification, name };
}
