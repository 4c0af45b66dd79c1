import { Type, type Static } from 'typebox';
import {
  AccountIdSchema,
  AmountSchema,
  CreditorAccountSchema,
  DateTimeSchema,
  IdSchema,
} from '../../open-banking/schemas.js';

/** docs/specification.md, "Scheduled payments". Only ReadScheduledPaymentsDetail releases `CreditorAccount`. */
export const ScheduledPaymentSchema = Type.Object({
  AccountId: AccountIdSchema,
  ScheduledPaymentId: IdSchema,
  ScheduledPaymentDateTime: DateTimeSchema,
  ScheduledType: Type.String({ enum: ['Arrival', 'Execution'] }),
  Reference: Type.Optional(Type.String({ minLength: 1, maxLength: 35, examples: ['RENT'] })),
  InstructedAmount: AmountSchema,
  CreditorAccount: Type.Optional(CreditorAccountSchema),
});
export type ScheduledPayment = Static<typeof ScheduledPaymentSchema>;
