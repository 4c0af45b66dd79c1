import { declareEndpoint } from '../../endpoint/endpoint-declaration.js';
import { toBalance } from './balance.mapper.js';
import { BalanceSchema } from './balance.schema.js';

export const balances = declareEndpoint({
  name: 'balances',
  path: '/accounts/:AccountId/balances',
  read: 'balances',
  permissions: [['ReadBalances']],
  window: 'exempt',
  collection: 'Balance',
  schema: BalanceSchema,
  summary: 'Balances',
  map: toBalance,
});
