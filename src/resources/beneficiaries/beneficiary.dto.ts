import { Type, type Static } from 'typebox';
import { AccountIdSchema, CreditorAccountSchema } from '../../open-banking/schemas.js';

/** Section 2.8. `CreditorAccount` is released by ReadBeneficiariesDetail only. */
export const BeneficiarySchema = Type.Object({
  AccountId: AccountIdSchema,
  BeneficiaryId: Type.String({ maxLength: 40 }),
  CreditorAccount: Type.Optional(CreditorAccountSchema),
});
export type Beneficiary = Static<typeof BeneficiarySchema>;
