import { declareEndpoint } from '../../endpoint/endpoint-declaration.js';
import { toScheduledPayment } from './scheduled-payment.mapper.js';
import { ScheduledPaymentSchema } from './scheduled-payment.schema.js';

export const scheduledPayments = declareEndpoint({
  name: 'scheduled-payments',
  path: '/accounts/:AccountId/scheduled-payments',
  read: 'scheduledPayments',
  permissions: [['ReadScheduledPaymentsBasic', 'ReadScheduledPaymentsDetail']],
  window: 'always',
  collection: 'ScheduledPayment',
  schema: ScheduledPaymentSchema,
  ids: { kind: 'scheduled-payment', uniqueWithin: 'account' },
  summary: 'Domestic scheduled payments',
  map: toScheduledPayment,
});
