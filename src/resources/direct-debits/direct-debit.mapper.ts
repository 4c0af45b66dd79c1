import { optionalCode, optionalField } from '../../../packages/core-adapter/core-rows.js';
import type { CoreDirectDebit } from '../../../packages/core-adapter/core.records.js';
import { isoCode } from '../../../packages/core-adapter/identifiers.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { freeText, optionalText } from '../../open-banking/free-text.js';

export type DirectDebitView = Pick<IdentifiedView, 'accountId' | 'publicId'>;

const classifications: readonly string[] = ['fixed', 'variable', 'usage-based'];

export type DirectDebitFields = Readonly<ReturnType<typeof directDebitFields>>;

/** @throws RangeError when the mandate's number has more than 35 characters: a part of it would name another mandate. */
export function directDebitFields(directDebit: CoreDirectDebit, view: DirectDebitView) {
  if (directDebit.mandate.length > 35) throw new RangeError('a mandate number is longer than the standard allows');
  return {
    accountId: view.accountId,
    directDebitId: view.publicId(directDebit.id),
    mandate: directDebit.mandate,
    status: directDebit.status,
    /** The name of the service user that collects. */
    name: freeText(directDebit.name, 70),
    frequency: directDebit.frequency ?? { every: 'other' },
    classification: optionalCode('classification', directDebit.classification, (code) =>
      classifications.find((one) => one === code),
    ),
    categoryPurpose: optionalCode('categoryPurpose', directDebit.categoryPurpose, isoCode),
    firstPaymentAt: optionalField(
      'firstPaymentAt',
      () => directDebit.firstPaymentAt && formatDateTime(directDebit.firstPaymentAt),
    ),
    finalPaymentAt: optionalField(
      'finalPaymentAt',
      () => directDebit.finalPaymentAt && formatDateTime(directDebit.finalPaymentAt),
    ),
    reason: optionalText(directDebit.reason, 256),
  };
}
