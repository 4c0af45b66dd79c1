import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { AccountIdSchema, AmountSchema, DateTimeSchema, IdSchema } from '../../open-banking/schemas.js';
import { standingOrders } from '../../resources/standing-orders/standing-orders.endpoint.js';
import { mandateMembers, mandateStatuses, mandateWords } from './mandate.js';
import { agentWords, AgentSchema, PartyAccountSchema } from './parties.js';

/** docs/specification.md, "Standing orders". Only ReadStandingOrdersDetail releases `CreditorAccount` and `CreditorAgent`. */
const StandingOrderSchema = Type.Object({
  AccountId: AccountIdSchema,
  StandingOrderId: IdSchema,
  MandateRelatedInformation: Type.Object(mandateMembers),
  NextPaymentDateTime: Type.Optional(DateTimeSchema),
  StandingOrderStatusCode: Type.String({ enum: Object.values(mandateStatuses) }),
  NextPaymentAmount: Type.Optional(AmountSchema),
  RemittanceInformation: Type.Optional(
    Type.Object({ Unstructured: Type.Array(Type.String({ minLength: 1, maxLength: 35, examples: ['RENT'] })) }),
  ),
  CreditorAccount: Type.Optional(PartyAccountSchema),
  CreditorAgent: Type.Optional(AgentSchema),
});

export const standingOrdersForm = declareForm(standingOrders, {
  path: '/accounts/:AccountId/standing-orders',
  collection: 'StandingOrder',
  schema: StandingOrderSchema,
  words: (order) => ({
    AccountId: order.accountId,
    StandingOrderId: order.standingOrderId,
    MandateRelatedInformation: mandateWords(order),
    NextPaymentDateTime: order.nextPaymentAt,
    StandingOrderStatusCode: mandateStatuses[order.status],
    NextPaymentAmount: order.nextPaymentAmount,
    RemittanceInformation: order.reference === undefined ? undefined : { Unstructured: [order.reference] },
    CreditorAccount: order.creditor,
    CreditorAgent: agentWords(order.creditorAgent),
  }),
});
