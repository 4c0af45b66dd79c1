import { Type, type Static } from 'typebox';
import { AccountIdSchema, AmountSchema, CreditDebitSchema, DateTimeSchema } from '../../open-banking/schemas.js';

/** Section 2.4. `TransactionInformation` and `Balance` are released by ReadTransactionsDetail only. */
export const TransactionSchema = Type.Object({
  AccountId: AccountIdSchema,
  TransactionId: Type.String({ maxLength: 210 }),
  CreditDebitIndicator: CreditDebitSchema,
  Status: Type.String({ enum: ['Booked', 'Pending'] }),
  BookingDateTime: Type.String({ description: 'A date-time; empty for a pending transaction.' }),
  ValueDateTime: Type.Optional(DateTimeSchema),
  Amount: AmountSchema,
  TransactionInformation: Type.Optional(Type.String({ maxLength: 500 })),
  Balance: Type.Optional(
    Type.Object({
      CreditDebitIndicator: CreditDebitSchema,
      Type: Type.String({ examples: ['ClosingBooked'] }),
      Amount: AmountSchema,
    }),
  ),
  CurrencyExchange: Type.Optional(
    Type.Object({
      SourceCurrency: Type.String({ description: 'ISO 4217; empty for a pending transaction.' }),
      ExchangeRate: Type.Unsafe<number | string>({
        type: ['number', 'string'],
        description: 'A number; an empty string for a pending transaction.',
      }),
    }),
  ),
});
export type Transaction = Static<typeof TransactionSchema>;
