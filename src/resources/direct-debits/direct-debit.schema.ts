import { Type, type Static } from 'typebox';
import { AccountIdSchema, IdSchema } from '../../open-banking/schemas.js';

/** docs/specification.md, "Direct debits". */
export const DirectDebitSchema = Type.Object({
  AccountId: AccountIdSchema,
  DirectDebitId: IdSchema,
  MandateIdentification: Type.String({ minLength: 1, maxLength: 35, examples: ['NLE-55'] }),
  DirectDebitStatusCode: Type.String({ enum: ['Active', 'Inactive'] }),
  Name: Type.String({ minLength: 1, maxLength: 70, description: 'Who collects.', examples: ['NORTHERN LIGHT ENERGY'] }),
});
export type DirectDebit = Static<typeof DirectDebitSchema>;
