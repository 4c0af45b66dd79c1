import { declareRule } from '../../endpoint/endpoint-rule.js';
import { standingOrderFields } from './standing-order.mapper.js';

export const standingOrders = declareRule({
  name: 'standing-orders',
  read: 'standingOrders',
  permissions: [['ReadStandingOrdersBasic', 'ReadStandingOrdersDetail']],
  window: 'always',
  ids: { kind: 'standing-order', uniqueWithin: 'account' },
  fields: standingOrderFields,
  summary: 'Domestic standing orders',
});
