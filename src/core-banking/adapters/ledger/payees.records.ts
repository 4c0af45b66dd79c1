import type { CoreAccountIdentification } from '../../../../packages/core-adapter/core.records.js';
import { RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { wordOf } from '../../../../packages/core-adapter/code-words.js';
import { optionalTextOf, partOf, textOf } from '../../../../packages/core-adapter/row-fields.js';

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
  const identification = textOf(payee, 'id').replace(/[\s-]/g, '').toUpperCase();
  if (!(scheme === 'sort-code' ? /^\d{14}$/ : /^[A-Z0-9]{1,34}$/).test(identification)) {
    throw new RowFault('id', 'not of its form');
  }
  return { scheme, identification, name: optionalTextOf(payee, 'name') };
}
