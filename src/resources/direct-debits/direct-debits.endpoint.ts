import { declareRule } from '../../endpoint/endpoint-rule.js';
import { directDebitFields } from './direct-debit.mapper.js';

export const directDebits = declareRule({
  name: 'direct-debits',
  read: 'directDebits',
  permissions: [['ReadDirectDebits']],
  window: 'always',
  ids: { kind: 'direct-debit', uniqueWithin: 'account' },
  fields: directDebitFields,
  summary: 'Direct debits',
});
