import { Type } from 'typebox';
import { DateTimeSchema } from '../../open-banking/schemas.js';
import type { DirectDebitFields } from '../../resources/direct-debits/direct-debit.mapper.js';
import { frequencyCode, FrequencySchema } from './frequency.js';

/** ExternalMandateStatus1Code, of standing orders and direct debits. */
export const mandateStatuses: Readonly<Record<DirectDebitFields['status'], string>> = {
  active: 'ACTV',
  cancelled: 'CANC',
  expired: 'EXPI',
  suspended: 'SUSP',
};

export const CategoryPurposeSchema = Type.String({
  pattern: '^[A-Z0-9]{4}$',
  description: 'ExternalCategoryPurpose1Code.',
  examples: ['SUPP'],
});

/** The members of OBMandateRelatedInformation1 that standing orders and direct debits have. */
export const mandateMembers = {
  Frequency: FrequencySchema,
  CategoryPurposeCode: Type.Optional(CategoryPurposeSchema),
  FirstPaymentDateTime: Type.Optional(DateTimeSchema),
  FinalPaymentDateTime: Type.Optional(DateTimeSchema),
};

export function mandateWords(
  mandate: Pick<DirectDebitFields, 'frequency' | 'categoryPurpose' | 'firstPaymentAt' | 'finalPaymentAt'>,
) {
  return {
    Frequency: frequencyCode(mandate.frequency),
    CategoryPurposeCode: mandate.categoryPurpose,
    FirstPaymentDateTime: mandate.firstPaymentAt,
    FinalPaymentDateTime: mandate.finalPaymentAt,
  };
}
