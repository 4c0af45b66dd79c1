import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { balances } from '../../resources/balances/balances.endpoint.js';
import type { BalanceFields } from '../../resources/balances/balance.mapper.js';
import { creditLine, CreditLineSchema } from '../shared/credit-line.js';
import { AccountIdSchema, AmountSchema, CreditDebitSchema, DateTimeSchema } from '../../open-banking/schemas.js';

/** OBBalanceType1Code. */
const types: Readonly<Record<BalanceFields['kind'], string>> = {
  'interim-booked': 'InterimBooked',
  available: 'InterimAvailable',
  'closing-booked': 'ClosingBooked',
};

/** docs/specification.md, "Balances". */
const BalanceSchema = Type.Object({
  AccountId: AccountIdSchema,
  CreditDebitIndicator: CreditDebitSchema,
  Type: Type.String({ enum: Object.values(types) }),
  DateTime: DateTimeSchema,
  Amount: AmountSchema,
  CreditLine: Type.Optional(Type.Array(CreditLineSchema)),
});

export const balancesForm = declareForm(balances, {
  path: '/accounts/:AccountId/balances',
  collection: 'Balance',
  schema: BalanceSchema,
  words: ({ accountId, creditDebit, kind, at, amount, creditLines }) => ({
    AccountId: accountId,
    CreditDebitIndicator: creditDebit,
    Type: types[kind],
    DateTime: at,
    Amount: amount,
    CreditLine: creditLines?.map(creditLine),
  }),
});
