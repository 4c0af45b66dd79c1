import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { AccountIdSchema, IdSchema } from '../../open-banking/schemas.js';
import { directDebits } from '../../resources/direct-debits/direct-debits.endpoint.js';
import { mandateStatuses } from './mandate.js';
import { FrequencySchema } from './frequency.js';

/** docs/specification.md, "Direct debits". */
const DirectDebitSchema = Type.Object({
  AccountId: AccountIdSchema,
  DirectDebitId: IdSchema,
  MandateRelatedInformation: Type.Object({
    MandateIdentification: Type.String({ minLength: 1, maxLength: 35, examples: ['NLE-55'] }),
    Frequency: FrequencySchema,
  }),
  DirectDebitStatusCode: Type.String({ enum: Object.values(mandateStatuses) }),
  Name: Type.String({ minLength: 1, maxLength: 70, description: 'Who collects.', examples: ['NORTHERN LIGHT ENERGY'] }),
});

export const directDebitsForm = declareForm(directDebits, {
  path: '/accounts/:AccountId/direct-debits',
  collection: 'DirectDebit',
  schema: DirectDebitSchema,
  words: ({ accountId, directDebitId, mandate, status, name }) => ({
    AccountId: accountId,
    DirectDebitId: directDebitId,
    MandateRelatedInformation: { MandateIdentification: mandate, Frequency: { Type: 'NONE' } },
    DirectDebitStatusCode: mandateStatuses[status],
    Name: name,
  }),
});
