import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { balances } from '../../resources/balances/balances.endpoint.js';
import type { BalanceFields } from '../../resources/balances/balance.mapper.js';
import { creditLine, CreditLineSchema } from './credit-line.js';
import { AccountIdSchema, AmountSchema, CreditDebitSchema, DateTimeSchema } from '../../open-banking/schemas.js';

export type BalanceTypes = Readonly<Record<BalanceFields['kind'], string>>;

/** docs/specification.md, "Balances". */
const balanceSchema = (types: BalanceTypes) =>
  Type.Object({
    AccountId: AccountIdSchema,
    CreditDebitIndicator: CreditDebitSchema,
    Type: Type.String({ enum: Object.values(types) }),
    DateTime: DateTimeSchema,
    Amount: AmountSchema,
    CreditLine: Type.Optional(Type.Array(CreditLineSchema)),
  });

/** The form of a version whose words for the kinds of balances are these. */
export const balancesFormWith = (types: BalanceTypes) =>
  declareForm(balances, {
    path: '/accounts/:AccountId/balances',
    collection: 'Balance',
    schema: balanceSchema(types),
    words: ({ accountId, creditDebit, kind, at, amount, creditLines }) => ({
      AccountId: accountId,
      CreditDebitIndicator: creditDebit,
      Type: types[kind],
      DateTime: at,
      Amount: amount,
      CreditLine: creditLines?.map(creditLine),
    }),
  });
