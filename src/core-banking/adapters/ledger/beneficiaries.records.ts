import type { BeneficiaryKind, CoreBeneficiary } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { textOf, wordOf } from '../../../../packages/core-adapter/row-fields.js';
import { toAgent, toIdentification } from './payees.records.js';

const payeeKinds: Readonly<Record<string, BeneficiaryKind>> = {
  TP: 'third-party',
  NOM: 'nominated',
  XB: 'international',
  OWN: 'internal',
};

export function toBeneficiary(row: Row): CoreBeneficiary {
  return {
    id: textOf(row, 'key'),
    kind: wordOf(row, 'sort', payeeKinds),
    creditor: toIdentification(row),
    creditorAgent: toAgent(row),
  };
}
