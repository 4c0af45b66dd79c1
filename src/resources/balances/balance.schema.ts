import { Type, type Static } from 'typebox';
import { creditLimitTypes } from '../../open-banking/balance-types.js';
import { AccountIdSchema, AmountSchema, CreditDebitSchema, DateTimeSchema } from '../../open-banking/schemas.js';

/** docs/specification.md, "Balances". */
export const BalanceSchema = Type.Object({
  AccountId: AccountIdSchema,
  CreditDebitIndicator: CreditDebitSchema,
  Type: Type.String({ enum: ['InterimBooked', 'InterimAvailable', 'ClosingBooked'] }),
  DateTime: DateTimeSchema,
  Amount: AmountSchema,
  CreditLine: Type.Optional(
    Type.Array(
      Type.Object({
        Included: Type.Boolean(),
        Type: Type.String({ enum: ['Available', ...creditLimitTypes] }),
        Amount: AmountSchema,
      }),
    ),
  ),
});
export type Balance = Static<typeof BalanceSchema>;
