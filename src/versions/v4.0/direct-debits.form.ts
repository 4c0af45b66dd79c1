import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { AccountIdSchema, IdSchema } from '../../open-banking/schemas.js';
import { directDebits } from '../../resources/direct-debits/direct-debits.endpoint.js';
import { mandateMembers, mandateStatuses, mandateWords } from './mandate.js';

/** OBExternalMandateClassification1Code. */
const classifications = { fixed: 'FIXE', variable: 'VARI', 'usage-based': 'USGB' };

/** docs/specification.md, "Direct debits". */
const DirectDebitSchema = Type.Object({
  AccountId: AccountIdSchema,
  DirectDebitId: IdSchema,
  MandateRelatedInformation: Type.Object({
    MandateIdentification: Type.String({ minLength: 1, maxLength: 35, examples: ['NLE-55'] }),
    ...mandateMembers,
    Classification: Type.Optional(Type.String({ enum: Object.values(classifications) })),
    Reason: Type.Optional(Type.String({ minLength: 1, maxLength: 256, examples: ['Electricity'] })),
  }),
  DirectDebitStatusCode: Type.String({ enum: Object.values(mandateStatuses) }),
  Name: Type.String({ minLength: 1, maxLength: 70, description: 'Who collects.', examples: ['NORTHERN LIGHT ENERGY'] }),
});

export const directDebitsForm = declareForm(directDebits, {
  path: '/accounts/:AccountId/direct-debits',
  collection: 'DirectDebit',
  schema: DirectDebitSchema,
  words: (directDebit) => ({
    AccountId: directDebit.accountId,
    DirectDebitId: directDebit.directDebitId,
    MandateRelatedInformation: {
      MandateIdentification: directDebit.mandate,
      ...mandateWords(directDebit),
      Classification: directDebit.classification && classifications[directDebit.classification],
      Reason: directDebit.reason,
    },
    DirectDebitStatusCode: mandateStatuses[directDebit.status],
    Name: directDebit.name,
  }),
});
