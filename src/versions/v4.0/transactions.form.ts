import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import type { TransactionFields } from '../../resources/transactions/transaction.mapper.js';
import { transactions } from '../../resources/transactions/transactions.endpoint.js';
import { transactionMembers, transactionWords } from '../shared/transactions.js';
import { balanceTypes } from './balances.form.js';
import { CategoryPurposeSchema } from './mandate.js';
import { agentWords, AgentSchema, LeiSchema, PartyAccountSchema } from './parties.js';

/** With ExternalEntryStatus1Code. */
const version = {
  statuses: { booked: 'BOOK', pending: 'PDNG', rejected: 'RJCT' },
  bookedBalance: balanceTypes['closing-booked'],
};

const CodeSchema = Type.String({ pattern: '^[A-Z0-9]{4}$', examples: ['RCDT'] });
const UltimatePartySchema = Type.Object(
  { Name: Type.String({ minLength: 1, maxLength: 140, examples: ['Kate Example'] }), LEI: Type.Optional(LeiSchema) },
  { title: 'UltimateParty' },
);

/** Only ReadTransactionsDetail releases the accounts, agents and ultimate parties. */
const TransactionSchema = Type.Object({
  ...transactionMembers(version),
  BankTransactionCode: Type.Optional(
    Type.Object({ Code: CodeSchema, SubCode: CodeSchema }, { description: 'Family and sub-family of ISO 20022.' }),
  ),
  ProprietaryBankTransactionCode: Type.Optional(
    Type.Object({
      Code: Type.String({ minLength: 1, maxLength: 35, examples: ['BGC'] }),
      Issuer: Type.Optional(Type.String({ minLength: 1, maxLength: 35, examples: ['Harbour Bank'] })),
    }),
  ),
  CategoryPurposeCode: Type.Optional(CategoryPurposeSchema),
  PaymentPurposeCode: Type.Optional(
    Type.String({ pattern: '^[A-Z0-9]{4}$', description: 'ExternalPurpose1Code.', examples: ['RENT'] }),
  ),
  CreditorAccount: Type.Optional(PartyAccountSchema),
  CreditorAgent: Type.Optional(AgentSchema),
  UltimateCreditor: Type.Optional(UltimatePartySchema),
  DebtorAccount: Type.Optional(PartyAccountSchema),
  DebtorAgent: Type.Optional(AgentSchema),
  UltimateDebtor: Type.Optional(UltimatePartySchema),
});

export const transactionsForm = declareForm(transactions, {
  path: '/accounts/:AccountId/transactions',
  collection: 'Transaction',
  schema: TransactionSchema,
  words: (transaction) => ({
    ...transactionWords(transaction, version.statuses[transaction.status], version.bookedBalance),
    BankTransactionCode: transaction.isoCode && {
      Code: transaction.isoCode.family,
      SubCode: transaction.isoCode.subFamily,
    },
    ProprietaryBankTransactionCode: transaction.bankCode && {
      Code: transaction.bankCode.code,
      Issuer: transaction.bankCode.issuer,
    },
    CategoryPurposeCode: transaction.categoryPurpose,
    PaymentPurposeCode: transaction.paymentPurpose,
    CreditorAccount: transaction.creditor,
    CreditorAgent: agentWords(transaction.creditorAgent),
    UltimateCreditor: ultimateParty(transaction.ultimateCreditor),
    DebtorAccount: transaction.debtor,
    DebtorAgent: agentWords(transaction.debtorAgent),
    UltimateDebtor: ultimateParty(transaction.ultimateDebtor),
  }),
});

function ultimateParty(party: TransactionFields['ultimateCreditor']) {
  return party && { Name: party.name, LEI: party.lei };
}
