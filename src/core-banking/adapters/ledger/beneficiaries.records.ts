import type { BeneficiaryKind, CoreBeneficiary } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { text, word } from './ledger.fields.js';
import { toIdentification } from './payees.records.js';

const payeeKinds: Readonly<Record<string, BeneficiaryKind>> = {
  TP: 'third-party',
  NOM: 'nominated',
  XB: 'international',
  OWN: 'internal',
};

export function toBeneficiary(row: Row): CoreBeneficiary {
  return { id: text(row.key, 'key'), kind: word(payeeKinds, row.sort, 'sort'), creditor: toIdentification(row.payee) };
}
