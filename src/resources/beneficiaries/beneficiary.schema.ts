import { Type, type Static } from 'typebox';
import { AccountIdSchema, CreditorAccountSchema, IdSchema } from '../../open-banking/schemas.js';

/** docs/specification.md, "Beneficiaries". Only ReadBeneficiariesDetail releases `CreditorAccount`. */
export const BeneficiarySchema = Type.Object({
  AccountId: AccountIdSchema,
  BeneficiaryId: IdSchema,
  CreditorAccount: Type.Optional(CreditorAccountSchema),
});
export type Beneficiary = Static<typeof BeneficiarySchema>;
