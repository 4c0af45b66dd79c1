import { declareRule } from '../../endpoint/endpoint-rule.js';
import { transactionDirections, transactionLevels } from '../../open-banking/permissions.js';
import {
  fromParameter,
  pageParameter,
  readTransactionFilter,
  toParameter,
  transactionNearMisses,
} from './transaction.filter.js';
import { transactionFields } from './transaction.mapper.js';

export const transactions = declareRule({
  name: 'transactions',
  read: 'transactions',
  permissions: [transactionLevels, transactionDirections],
  window: 'recent-history',
  ids: { kind: 'transaction', uniqueWithin: 'account' },
  query: {
    parameters: {
      [fromParameter]: 'ISO 8601, inclusive. A zone is ignored: values are UTC, as in the answers.',
      [toParameter]: 'ISO 8601, inclusive of the whole day, minute or second that it names.',
      [pageParameter]: "Opaque: copy it from an answer's links.",
    },
    nearMisses: transactionNearMisses,
    read: (query, scope) => readTransactionFilter(query, scope, scope.cursors),
  },
  fields: transactionFields,
  summary: 'Transactions, newest first',
});
