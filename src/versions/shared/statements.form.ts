import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import type { StatementAmount, StatementFields } from '../../resources/statements/statement.mapper.js';
import { statements } from '../../resources/statements/statements.endpoint.js';
import { AccountIdSchema, AmountSchema, CreditDebitSchema, DateTimeSchema } from '../../open-banking/schemas.js';

const types: Readonly<Record<StatementFields['type'], string>> = {
  closing: 'AccountClosure',
  opening: 'AccountOpening',
  annual: 'Annual',
  interim: 'Interim',
  regular: 'RegularPeriodic',
};

const amountTypes: Readonly<Record<StatementAmount['kind'], string>> = {
  'closing-balance': 'ClosingBalance',
  'minimum-payment-due': 'UK.OBIE.MinimumPaymentDue',
};

/** docs/specification.md, "Statements". Only ReadStatementsDetail releases `StatementAmount`. */
const StatementSchema = Type.Object({
  AccountId: AccountIdSchema,
  Type: Type.String({ enum: Object.values(types) }),
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

export const statementsForm = declareForm(statements, {
  path: '/accounts/:AccountId/statements',
  collection: 'Statement',
  schema: StatementSchema,
  words: ({ accountId, type, startAt, endAt, createdAt, amounts, paymentDueAt }) => ({
    AccountId: accountId,
    Type: types[type],
    StartDateTime: startAt,
    EndDateTime: endAt,
    CreationDateTime: createdAt,
    StatementAmount: amounts?.map(({ kind, creditDebit, amount }) => ({
      Amount: amount,
      CreditDebitIndicator: creditDebit,
      Type: amountTypes[kind],
    })),
    StatementDateTime:
      paymentDueAt === undefined ? undefined : [{ DateTime: paymentDueAt, Type: 'UK.OBIE.PaymentDue' }],
  }),
});
