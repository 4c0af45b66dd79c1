import { Type, type Static } from 'typebox';
import { AccountIdSchema } from '../../open-banking/schemas.js';

/** Section 2.10. */
export const DirectDebitSchema = Type.Object({
  AccountId: AccountIdSchema,
  DirectDebitId: Type.String({ maxLength: 40 }),
  MandateIdentification: Type.String({ maxLength: 35 }),
  DirectDebitStatusCode: Type.String({ enum: ['Active', 'Inactive'] }),
  Name: Type.String({ maxLength: 70 }),
});
export type DirectDebit = Static<typeof DirectDebitSchema>;
