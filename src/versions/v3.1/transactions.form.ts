import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import type { TransactionFields } from '../../resources/transactions/transaction.mapper.js';
import { transactions } from '../../resources/transactions/transactions.endpoint.js';
import {
  AccountIdSchema,
  AmountSchema,
  CreditDebitSchema,
  DateTimeSchema,
  decimalText,
  IdSchema,
  ownText,
} from '../../open-banking/schemas.js';

/** OBEntryStatus1Code. */
const statuses: Readonly<Record<TransactionFields['status'], string>> = { booked: 'Booked', pending: 'Pending' };

/** docs/specification.md, "Transactions". Only ReadTransactionsDetail releases `TransactionInformation` and `Balance`. */
const TransactionSchema = Type.Object({
  AccountId: AccountIdSchema,
  TransactionId: IdSchema,
  CreditDebitIndicator: CreditDebitSchema,
  Status: Type.String({ ...ownText, enum: Object.values(statuses) }),
  BookingDateTime: Type.String({
    ...ownText,
    description: 'A date-time; empty for a pending transaction, unless the bank tells when it expects to book it.',
    examples: ['2026-05-02T09:30:00+00:00'],
  }),
  ValueDateTime: Type.Optional(DateTimeSchema),
  Amount: AmountSchema,
  TransactionInformation: Type.Optional(Type.String({ minLength: 1, maxLength: 500, examples: ['GROCER 2026-05-02'] })),
  Balance: Type.Optional(
    Type.Object({
      CreditDebitIndicator: CreditDebitSchema,
      Type: Type.String({ ...ownText, examples: ['ClosingBooked'] }),
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

export const transactionsForm = declareForm(transactions, {
  path: '/accounts/:AccountId/transactions',
  collection: 'Transaction',
  schema: TransactionSchema,
  words: ({ balance, exchange, ...transaction }) => ({
    AccountId: transaction.accountId,
    TransactionId: transaction.transactionId,
    CreditDebitIndicator: transaction.creditDebit,
    Status: statuses[transaction.status],
    BookingDateTime: transaction.bookedAt,
    ValueDateTime: transaction.valueAt,
    Amount: transaction.amount,
    TransactionInformation: transaction.information,
    Balance: balance && { CreditDebitIndicator: balance.creditDebit, Type: 'ClosingBooked', Amount: balance.amount },
    CurrencyExchange: exchange && { SourceCurrency: exchange.sourceCurrency, ExchangeRate: exchange.rate },
  }),
});
