import {
  type BeneficiaryKind,
  beneficiaryKinds,
  type CoreBeneficiary,
} from '../../../../packages/core-adapter/core.records.js';
import { optionalField, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { wordOf } from '../../../../packages/core-adapter/row-fields.js';
import { key, optionalText } from './fineract.fields.js';
import { identifierColumns, toIdentification } from './identifiers.records.js';

export const beneficiaryColumns = ['id', 'kind', 'name', ...identifierColumns] as const;

const kinds = Object.fromEntries(beneficiaryKinds.map((kind): [string, BeneficiaryKind] => [kind, kind]));

/** A row of the beneficiaries' data table: `id`, `kind`, `name`, and the columns of an account's identifiers. */
export function toBeneficiary(row: Row): CoreBeneficiary {
  const kind = wordOf(row, 'kind', kinds);
  const creditor = toIdentification(
    row,
    optionalField('creditor.name', () => optionalText(row.name, 'name')),
  );
  if (creditor === undefined) throw new RowFault('sort_code', 'neither it nor iban is there');
  return { id: key(row.id, 'id'), kind, creditor };
}
