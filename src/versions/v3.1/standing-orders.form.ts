import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { standingOrders } from '../../resources/standing-orders/standing-orders.endpoint.js';
import { formatFrequency } from '../shared/frequency.js';
import {
  AccountIdSchema,
  AmountSchema,
  CreditorAccountSchema,
  DateTimeSchema,
  IdSchema,
} from '../../open-banking/schemas.js';

/** docs/specification.md, "Standing orders". Only ReadStandingOrdersDetail releases `CreditorAccount`. */
const StandingOrderSchema = Type.Object({
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

export const standingOrdersForm = declareForm(standingOrders, {
  path: '/accounts/:AccountId/standing-orders',
  collection: 'StandingOrder',
  schema: StandingOrderSchema,
  words: (order) => ({
    AccountId: order.accountId,
    StandingOrderId: order.standingOrderId,
    Frequency: formatFrequency(order.frequency),
    Reference: order.reference,
    FirstPaymentDateTime: order.firstPaymentAt,
    NextPaymentDateTime: order.nextPaymentAt,
    FinalPaymentDateTime: order.finalPaymentAt,
    StandingOrderStatusCode: order.status === 'active' ? 'Active' : 'Inactive',
    NextPaymentAmount: order.nextPaymentAmount,
    CreditorAccount: order.creditor,
  }),
});
