import type { CoreDirectDebit, MandateStatus } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { freeText } from '../../open-banking/free-text.js';

export type DirectDebitView = Pick<IdentifiedView, 'accountId' | 'publicId'>;

export interface DirectDebitFields {
  readonly accountId: string;
  readonly directDebitId: string;
  readonly mandate: string;
  readonly status: MandateStatus;
  /** The name of the service user that collects. */
  readonly name: string;
}

/** @throws RangeError when the mandate's number has more than 35 characters: a part of it would name another mandate. */
export function directDebitFields(directDebit: CoreDirectDebit, view: DirectDebitView): DirectDebitFields {
  if (directDebit.mandate.length > 35) throw new RangeError('a mandate number is longer than the standard allows');
  return {
    accountId: view.accountId,
    directDebitId: view.publicId(directDebit.id),
    mandate: directDebit.mandate,
    status: directDebit.status,
    name: freeText(directDebit.name, 70),
  };
}
