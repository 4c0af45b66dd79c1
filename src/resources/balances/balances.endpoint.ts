import { declareForm } from '../../endpoint/endpoint-form.js';
import { declareRule } from '../../endpoint/endpoint-rule.js';
import { toBalance } from './balance.mapper.js';
import { BalanceSchema } from './balance.schema.js';

export const balances = declareRule({
  name: 'balances',
  read: 'balances',
  permissions: [['ReadBalances']],
  window: 'exempt',
  summary: 'Balances',
});

export const balancesForm = declareForm(balances, {
  path: '/accounts/:AccountId/balances',
  collection: 'Balance',
  schema: BalanceSchema,
  map: toBalance,
});
