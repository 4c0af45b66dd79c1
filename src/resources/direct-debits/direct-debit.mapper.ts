import type { CoreDirectDebit } from '../../core-banking/core.records.js';
import { freeText } from '../../open-banking/free-text.js';
import type { DirectDebit } from './direct-debit.dto.js';

export interface DirectDebitView {
  readonly accountId: string;
  readonly publicId: (id: string) => string;
}

export function toDirectDebit(directDebit: CoreDirectDebit, view: DirectDebitView): DirectDebit {
  return {
    AccountId: view.accountId,
    DirectDebitId: view.publicId(directDebit.id),
    MandateIdentification: directDebit.mandate,
    DirectDebitStatusCode: directDebit.active ? 'Active' : 'Inactive',
    Name: freeText(directDebit.name, 70),
  };
}
