import { Type } from 'typebox';
import type { TransactionFields } from '../../resources/transactions/transaction.mapper.js';
import {
  AccountIdSchema,
  AmountSchema,
  CreditDebitSchema,
  DateTimeSchema,
  decimalText,
  IdSchema,
  ownText,
} from '../../open-banking/schemas.js';

export interface TransactionWords {
  readonly statuses: Readonly<Partial<Record<TransactionFields['status'], string>>>;
  /** The type of the balance after a transaction. */
  readonly bookedBalance: string;
}

/**
 * The members of a transaction in every version: docs/specification.md, "Transactions". Only ReadTransactionsDetail releases
 * `TransactionInformation` and `Balance`.
 */
export const transactionMembers = ({ statuses, bookedBalance }: TransactionWords) => ({
  AccountId: AccountIdSchema,
  TransactionId: IdSchema,
  CreditDebitIndicator: CreditDebitSchema,
  Status: Type.String({ ...ownText, enum: Object.values(statuses) }),
  BookingDateTime: Type.String({
    ...ownText,
    description: 'A date-time; empty for a pending transaction, unless the bank states when it expects to book it.',
    examples: ['2026-05-02T09:30:00+00:00'],
  }),
  ValueDateTime: Type.Optional(DateTimeSchema),
  Amount: AmountSchema,
  TransactionInformation: Type.Optional(Type.String({ minLength: 1, maxLength: 500, examples: ['GROCER 2026-05-02'] })),
  Balance: Type.Optional(
    Type.Object({
      CreditDebitIndicator: CreditDebitSchema,
      Type: Type.String({ ...ownText, enum: [bookedBalance] }),
      Amount: AmountSchema,
    }),
  ),
  CurrencyExchange: Type.Optional(
    Type.Object({
      SourceCurrency: Type.String({ description: 'ISO 4217; empty for a pending transaction.', examples: ['EUR'] }),
      ExchangeRate: Type.Unsafe<string>({
        ...decimalText,
        type: ['number', 'string'],
        description: 'A number; an empty string for a pending transaction.',
        examples: [1.1702],
      }),
    }),
  ),
});

/** @param status in the words of the version */
export function transactionWords(
  transaction: TransactionFields,
  status: string,
  bookedBalance: TransactionWords['bookedBalance'],
) {
  const { balance, exchange } = transaction;
  return {
    AccountId: transaction.accountId,
    TransactionId: transaction.transactionId,
    CreditDebitIndicator: transaction.creditDebit,
    Status: status,
    BookingDateTime: transaction.bookedAt,
    ValueDateTime: transaction.valueAt,
    Amount: transaction.amount,
    TransactionInformation: transaction.information,
    Balance: balance && { CreditDebitIndicator: balance.creditDebit, Type: bookedBalance, Amount: balance.amount },
    CurrencyExchange: exchange && { SourceCurrency: exchange.sourceCurrency, ExchangeRate: exchange.rate },
  };
}
