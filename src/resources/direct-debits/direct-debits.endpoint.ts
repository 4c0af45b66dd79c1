import { declareForm } from '../../endpoint/endpoint-form.js';
import { declareRule } from '../../endpoint/endpoint-rule.js';
import { toDirectDebit } from './direct-debit.mapper.js';
import { DirectDebitSchema } from './direct-debit.schema.js';

export const directDebits = declareRule({
  name: 'direct-debits',
  read: 'directDebits',
  permissions: [['ReadDirectDebits']],
  window: 'always',
  ids: { kind: 'direct-debit', uniqueWithin: 'account' },
  summary: 'Direct debits',
});

export const directDebitsForm = declareForm(directDebits, {
  path: '/accounts/:AccountId/direct-debits',
  collection: 'DirectDebit',
  schema: DirectDebitSchema,
  map: toDirectDebit,
});
