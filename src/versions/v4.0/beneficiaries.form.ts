import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { beneficiaries } from '../../resources/beneficiaries/beneficiaries.endpoint.js';
import { AccountIdSchema, IdSchema } from '../../open-banking/schemas.js';
import { agentWords, AgentSchema, PartyAccountSchema } from './parties.js';

/** docs/specification.md, "Beneficiaries". Only ReadBeneficiariesDetail releases `CreditorAccount` and `CreditorAgent`. */
const BeneficiarySchema = Type.Object({
  AccountId: AccountIdSchema,
  BeneficiaryId: IdSchema,
  CreditorAccount: Type.Optional(PartyAccountSchema),
  CreditorAgent: Type.Optional(AgentSchema),
});

export const beneficiariesForm = declareForm(beneficiaries, {
  path: '/accounts/:AccountId/beneficiaries',
  collection: 'Beneficiary',
  schema: BeneficiarySchema,
  words: ({ accountId, beneficiaryId, creditor, creditorAgent }) => ({
    AccountId: accountId,
    BeneficiaryId: beneficiaryId,
    CreditorAccount: creditor,
    CreditorAgent: agentWords(creditorAgent),
  }),
});
