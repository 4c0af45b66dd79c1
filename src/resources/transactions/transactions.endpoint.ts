import { declareEndpoint } from '../../endpoint/endpoint-declaration.js';
import { transactionDirections, transactionLevels } from '../../open-banking/permissions.js';
import {
  fromParameter,
  pageParameter,
  readTransactionFilter,
  toParameter,
  transactionNearMisses,
} from './transaction.filter.js';
import { toTransaction } from './transaction.mapper.js';
import { TransactionSchema } from './transaction.schema.js';

export const transactions = declareEndpoint({
  name: 'transactions',
  path: '/accounts/:AccountId/transactions',
  read: 'transactions',
  permissions: [transactionLevels, transactionDirections],
  window: 'recent-history',
  collection: 'Transaction',
  schema: TransactionSchema,
  ids: { kind: 'transaction', uniqueWithin: 'account' },
  query: {
    parameters: {
      [fromParameter]: 'ISO 8601, inclusive. A zone is ignored: values are UTC, as in the answers.',
      [toParameter]: 'ISO 8601, inclusive of the whole day, minute or second that it names.',
      [pageParameter]: "Opaque: only as it stands in an answer's links.",
    },
    nearMisses: transactionNearMisses,
    read: (query, scope) => readTransactionFilter(query, scope, scope.cursors),
  },
  summary: 'Transactions, newest first',
  map: toTransaction,
});
