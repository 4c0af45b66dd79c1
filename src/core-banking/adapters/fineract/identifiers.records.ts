import type { CoreAccount, CoreAccountIdentification } from '../../../../packages/core-adapter/core.records.js';
import { RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { matching } from './fineract.fields.js';

/** The columns without which a data table is not the one that the settings mean; `iban` may be left out. */
export const identifierColumns = ['sort_code', 'account_number'] as const;

type Identifiers = Pick<CoreAccount, 'sortCode' | 'accountNumber' | 'iban'>;

export function toIdentifiers(row: Row | undefined): Identifiers {
  if (row === undefined) return {};
  const sortCode = matching(/^\d{6}$/, row.sort_code, 'sort_code');
  const accountNumber = matching(/^\d{8}$/, row.account_number, 'account_number');
  if ((sortCode === undefined) !== (accountNumber === undefined))
    throw new RowFault('sort_code', 'not together with account_number');
  return { sortCode, accountNumber, iban: matching(ibanForm, row.iban, 'iban') };
}
const ibanForm = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** How a data table's row names an account; `undefined` where it names none. */
export function toIdentification(row: Row, name: string | undefined): CoreAccountIdentification | undefined {
  const { sortCode, accountNumber, iban } = toIdentifiers(row);
  if (sortCode !== undefined && accountNumber !== undefined)
    return { scheme: 'sort-code', identification: sortCode + accountNumber, name };
  return iban === undefined ? undefined : { scheme: 'iban', identification: iban, name };
}
