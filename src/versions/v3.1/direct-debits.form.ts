import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { directDebits } from '../../resources/direct-debits/direct-debits.endpoint.js';
import { AccountIdSchema, IdSchema } from '../../open-banking/schemas.js';

/** docs/specification.md, "Direct debits". */
const DirectDebitSchema = Type.Object({
  AccountId: AccountIdSchema,
  DirectDebitId: IdSchema,
  MandateIdentification: Type.String({ minLength: 1, maxLength: 35, examples: ['NLE-55'] }),
  DirectDebitStatusCode: Type.String({ enum: ['Active', 'Inactive'] }),
  Name: Type.String({ minLength: 1, maxLength: 70, description: 'Who collects.', examples: ['NORTHERN LIGHT ENERGY'] }),
});

export const directDebitsForm = declareForm(directDebits, {
  path: '/accounts/:AccountId/direct-debits',
  collection: 'DirectDebit',
  schema: DirectDebitSchema,
  words: ({ accountId, directDebitId, mandate, status, name }) => ({
    AccountId: accountId,
    DirectDebitId: directDebitId,
    MandateIdentification: mandate,
    DirectDebitStatusCode: status === 'active' ? 'Active' : 'Inactive',
    Name: name,
  }),
});
