import {
  type BeneficiaryKind,
  beneficiaryKinds,
  type CoreBeneficiary,
} from '../../../../packages/core-adapter/core.records.js';
import { RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { key, optionalText } from './fineract.fields.js';
import { identifierColumns, toIdentification } from './identifiers.records.js';

export const beneficiaryColumns = ['id', 'kind', 'name', ...identifierColumns] as const;

/** A row of the beneficiaries' data table: `id`, `kind`, `name`, and the columns of an account's identifiers. */
export function toBeneficiary(row: Row): CoreBeneficiary {
  const kind = optionalText(row.kind, 'kind') as BeneficiaryKind | undefined;
  if (kind === undefined || !beneficiaryKinds.includes(kind)) throw new RowFault('kind', 'not a known word');
  const creditor = toIdentification(row, optionalText(row.name, 'name'));
  if (creditor === undefined) throw new RowFault('sort_code', 'neither it nor iban is there');
  return { id: key(row.id, 'id'), kind, creditor };
}
