import { Type, type Static } from 'typebox';
import { AccountIdSchema, AmountSchema, CreditorAccountSchema, DateTimeSchema } from '../../open-banking/schemas.js';

/** Section 2.7. `CreditorAccount` is released by ReadScheduledPaymentsDetail only. */
export const ScheduledPaymentSchema = Type.Object({
  AccountId: AccountIdSchema,
  ScheduledPaymentId: Type.String({ maxLength: 40 }),
  ScheduledPaymentDateTime: DateTimeSchema,
  ScheduledType: Type.String({ enum: ['Arrival', 'Execution'] }),
  Reference: Type.Optional(Type.String({ maxLength: 35 })),
  InstructedAmount: AmountSchema,
  CreditorAccount: Type.Optional(CreditorAccountSchema),
});
export type ScheduledPayment = Static<typeof ScheduledPaymentSchema>;
