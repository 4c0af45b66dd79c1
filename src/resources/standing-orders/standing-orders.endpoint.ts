import { declareEndpoint } from '../../endpoint/endpoint-declaration.js';
import { toStandingOrder } from './standing-order.mapper.js';
import { StandingOrderSchema } from './standing-order.schema.js';

export const standingOrders = declareEndpoint({
  name: 'standing-orders',
  path: '/accounts/:AccountId/standing-orders',
  read: 'standingOrders',
  permissions: [['ReadStandingOrdersBasic', 'ReadStandingOrdersDetail']],
  window: 'always',
  collection: 'StandingOrder',
  schema: StandingOrderSchema,
  ids: { kind: 'standing-order', uniqueWithin: 'account' },
  summary: 'Domestic standing orders',
  map: toStandingOrder,
});
