import { declareEndpoint } from '../../endpoint/endpoint-declaration.js';
import { toDirectDebit } from './direct-debit.mapper.js';
import { DirectDebitSchema } from './direct-debit.schema.js';

export const directDebits = declareEndpoint({
  name: 'direct-debits',
  path: '/accounts/:AccountId/direct-debits',
  read: 'directDebits',
  permissions: [['ReadDirectDebits']],
  window: 'always',
  collection: 'DirectDebit',
  schema: DirectDebitSchema,
  ids: { kind: 'direct-debit', uniqueWithin: 'account' },
  summary: 'Direct debits',
  map: toDirectDebit,
});
