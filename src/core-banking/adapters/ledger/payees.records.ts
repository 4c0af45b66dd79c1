import type { CoreAccountIdentification } from '../../../../packages/core-adapter/core.records.js';
import { isRow, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { optionalText, text, word } from './ledger.fields.js';

const reaches: Readonly<Record<string, boolean>> = { DOM: true, INT: false };

/** Domestic scheduled payments and standing orders only. International ones never become a record. */
export function isDomestic(row: Row): boolean {
  return word(reaches, row.reach, 'reach');
}

const forms: Readonly<Record<string, CoreAccountIdentification['scheme']>> = {
  UKACC: 'sort-code',
  IBAN: 'iban',
  BBAN: 'bban',
};

/** The ledger writes identifications as people type them, with blanks and dashes. */
export function toIdentification(value: unknown): CoreAccountIdentification {
  if (!isRow(value)) throw new RowFault('payee', 'not a record');
  const scheme = word(forms, value.form, 'payee.form');
  const identification = text(value.id, 'payee.id').replace(/[\s-]/g, '').toUpperCase();
  if (!(scheme === 'sort-code' ? /^\d{14}$/ : /^[A-Z0-9]{1,34}$/).test(identification)) {
    throw new RowFault('payee.id', 'not of its form');
  }
  return { scheme, identification, name: optionalText(value.name, 'payee.name') };
}
