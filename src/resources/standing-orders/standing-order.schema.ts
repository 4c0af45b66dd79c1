import { Type, type Static } from 'typebox';
import {
  AccountIdSchema,
  AmountSchema,
  CreditorAccountSchema,
  DateTimeSchema,
  IdSchema,
} from '../../open-banking/schemas.js';

/** docs/specification.md, "Standing orders". Only ReadStandingOrdersDetail releases `CreditorAccount`. */
export const StandingOrderSchema = Type.Object({
  AccountId: AccountIdSchema,
  StandingOrderId: IdSchema,
  Frequency: Type.String({ examples: ['IntrvlMnthDay:01:15', 'NotKnown'] }),
  Reference: Type.Optional(Type.String({ minLength: 1, maxLength: 35, examples: ['RENT'] })),
  FirstPaymentDateTime: Type.Optional(DateTimeSchema),
  NextPaymentDateTime: Type.Optional(DateTimeSchema),
  FinalPaymentDateTime: Type.Optional(DateTimeSchema),
  StandingOrderStatusCode: Type.String({ enum: ['Active', 'Inactive'] }),
  NextPaymentAmount: Type.Optional(AmountSchema),
  CreditorAccount: Type.Optional(CreditorAccountSchema),
});
export type StandingOrder = Static<typeof StandingOrderSchema>;
