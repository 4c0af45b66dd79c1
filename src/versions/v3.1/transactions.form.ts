import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { transactions } from '../../resources/transactions/transactions.endpoint.js';
import { transactionMembers, transactionWords } from '../shared/transactions.js';
import { balanceTypes } from './balances.form.js';

/** With OBEntryStatus1Code, which has no word for a rejected transaction before v3.1.8. */
const version = { statuses: { booked: 'Booked', pending: 'Pending' }, bookedBalance: balanceTypes['closing-booked'] };

export const transactionsForm = declareForm(transactions, {
  path: '/accounts/:AccountId/transactions',
  collection: 'Transaction',
  schema: Type.Object(transactionMembers(version)),
  words: (transaction) => {
    const { status } = transaction;
    return status === 'rejected'
      ? undefined
      : transactionWords(transaction, version.statuses[status], version.bookedBalance);
  },
});
