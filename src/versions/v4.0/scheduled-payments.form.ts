import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { scheduledPayments } from '../../resources/scheduled-payments/scheduled-payments.endpoint.js';
import { AccountIdSchema, AmountSchema, DateTimeSchema, IdSchema } from '../../open-banking/schemas.js';
import { agentWords, AgentSchema, PartyAccountSchema } from './parties.js';

/** docs/specification.md, "Scheduled payments". Only ReadScheduledPaymentsDetail releases `CreditorAccount` and `CreditorAgent`. */
const ScheduledPaymentSchema = Type.Object({
  AccountId: AccountIdSchema,
  ScheduledPaymentId: IdSchema,
  ScheduledPaymentDateTime: DateTimeSchema,
  ScheduledType: Type.String({ enum: ['Arrival', 'Execution'] }),
  Reference: Type.Optional(Type.String({ minLength: 1, maxLength: 35, examples: ['RENT'] })),
  InstructedAmount: AmountSchema,
  CreditorAccount: Type.Optional(PartyAccountSchema),
  CreditorAgent: Type.Optional(AgentSchema),
});

export const scheduledPaymentsForm = declareForm(scheduledPayments, {
  path: '/accounts/:AccountId/scheduled-payments',
  collection: 'ScheduledPayment',
  schema: ScheduledPaymentSchema,
  words: ({ accountId, scheduledPaymentId, dueAt, type, reference, amount, creditor, creditorAgent }) => ({
    AccountId: accountId,
    ScheduledPaymentId: scheduledPaymentId,
    ScheduledPaymentDateTime: dueAt,
    ScheduledType: type === 'arrival' ? 'Arrival' : 'Execution',
    Reference: reference,
    InstructedAmount: amount,
    CreditorAccount: creditor,
    CreditorAgent: agentWords(creditorAgent),
  }),
});
