import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { beneficiaries } from '../../resources/beneficiaries/beneficiaries.endpoint.js';
import { AccountIdSchema, CreditorAccountSchema, IdSchema } from '../../open-banking/schemas.js';

/** docs/specification.md, "Beneficiaries". Only ReadBeneficiariesDetail releases `CreditorAccount`. */
const BeneficiarySchema = Type.Object({
  AccountId: AccountIdSchema,
  BeneficiaryId: IdSchema,
  CreditorAccount: Type.Optional(CreditorAccountSchema),
});

export const beneficiariesForm = declareForm(beneficiaries, {
  path: '/accounts/:AccountId/beneficiaries',
  collection: 'Beneficiary',
  schema: BeneficiarySchema,
  words: ({ accountId, beneficiaryId, creditor }) => ({
    AccountId: accountId,
    BeneficiaryId: beneficiaryId,
    CreditorAccount: creditor,
  }),
});
