import type { CoreDirectDebit } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { freeText } from '../../open-banking/free-text.js';
import type { DirectDebit } from './direct-debit.schema.js';

export type DirectDebitView = Pick<IdentifiedView, 'accountId' | 'publicId'>;

/** @throws RangeError when the mandate's number has more than 35 characters: a part of it would name another mandate. */
export function toDirectDebit(directDebit: CoreDirectDebit, view: DirectDebitView): DirectDebit {
  if (directDebit.mandate.length > 35) throw new RangeError('a mandate number is longer than the standard allows');
  return {
    AccountId: view.accountId,
    DirectDebitId: view.publicId(directDebit.id),
    MandateIdentification: directDebit.mandate,
    DirectDebitStatusCode: directDebit.active ? 'Active' : 'Inactive',
    Name: freeText(directDebit.name, 70),
  };
}
