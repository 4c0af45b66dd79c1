import { declareRule } from '../../endpoint/endpoint-rule.js';
import { balanceFields } from './balance.mapper.js';

export const balances = declareRule({
  name: 'balances',
  read: 'balances',
  permissions: [['ReadBalances']],
  window: 'exempt',
  fields: balanceFields,
  summary: 'Balances',
});
