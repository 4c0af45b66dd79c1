import { Type, type Static } from 'typebox';
import { AccountIdSchema, AmountSchema, CreditDebitSchema, DateTimeSchema } from '../../open-banking/schemas.js';

/** docs/specification.md, "Statements". Only ReadStatementsDetail releases `StatementAmount`. */
export const StatementSchema = Type.Object({
  AccountId: AccountIdSchema,
  Type: Type.String({ enum: ['AccountClosure', 'AccountOpening', 'Annual', 'Interim', 'RegularPeriodic'] }),
  StartDateTime: DateTimeSchema,
  EndDateTime: DateTimeSchema,
  CreationDateTime: DateTimeSchema,
  StatementAmount: Type.Optional(
    Type.Array(
      Type.Object({
        Amount: AmountSchema,
        CreditDebitIndicator: CreditDebitSchema,
        Type: Type.String({ examples: ['ClosingBalance', 'UK.OBIE.MinimumPaymentDue'] }),
      }),
    ),
  ),
  StatementDateTime: Type.Optional(
    Type.Array(Type.Object({ DateTime: DateTimeSchema, Type: Type.String({ examples: ['UK.OBIE.PaymentDue'] }) })),
  ),
});
export type Statement = Static<typeof StatementSchema>;
