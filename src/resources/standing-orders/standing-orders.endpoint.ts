import { declareForm } from '../../endpoint/endpoint-form.js';
import { declareRule } from '../../endpoint/endpoint-rule.js';
import { toStandingOrder } from './standing-order.mapper.js';
import { StandingOrderSchema } from './standing-order.schema.js';

export const standingOrders = declareRule({
  name: 'standing-orders',
  read: 'standingOrders',
  permissions: [['ReadStandingOrdersBasic', 'ReadStandingOrdersDetail']],
  window: 'always',
  ids: { kind: 'standing-order', uniqueWithin: 'account' },
  summary: 'Domestic standing orders',
});

export const standingOrdersForm = declareForm(standingOrders, {
  path: '/accounts/:AccountId/standing-orders',
  collection: 'StandingOrder',
  schema: StandingOrderSchema,
  map: toStandingOrder,
});
