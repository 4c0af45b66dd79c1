import type { CoreAccountIdentification } from '../../../../packages/core-adapter/core.parties.js';
import type { CoreAccount } from '../../../../packages/core-adapter/core.records.js';
import { sortCodeAccountNumber } from '../../../../packages/core-adapter/account-numbers.js';
import { optionalField, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { optionalText } from './fineract.fields.js';

/** The columns without which a data table is not the one that the settings mean; `iban` may be omitted. */
export const identifierColumns = ['sort_code', 'account_number'] as const;

type Identifiers = Pick<CoreAccount, 'sortCode' | 'accountNumber' | 'iban'>;

/** As the data table has them: the gateway checks them. */
export function toIdentifiers(row: Row | undefined): Identifiers {
  if (row === undefined) return {};
  return {
    sortCode: optionalField('sortCode', () => optionalText(row.sort_code, 'sort_code')),
    accountNumber: optionalField('accountNumber', () => optionalText(row.account_number, 'account_number')),
    iban: optionalField('iban', () => optionalText(row.iban, 'iban')),
  };
}

/** How a data table's row names an account; `undefined` where it names none. */
export function toIdentification(row: Row, name: string | undefined): CoreAccountIdentification | undefined {
  const sortCode = optionalText(row.sort_code, 'sort_code');
  const accountNumber = optionalText(row.account_number, 'account_number');
  if (sortCode !== undefined || accountNumber !== undefined) {
    const identification = sortCodeAccountNumber(sortCode ?? '', accountNumber ?? '');
    if (identification === undefined) throw new RowFault('sort_code', 'not a sort code that fits its account_number');
    return { scheme: 'sort-code', identification, name };
  }
  const iban = optionalText(row.iban, 'iban');
  return iban === undefined ? undefined : { scheme: 'iban', identification: iban, name };
}
