import { declareForm } from '../../endpoint/endpoint-form.js';
import { declareRule } from '../../endpoint/endpoint-rule.js';
import { toScheduledPayment } from './scheduled-payment.mapper.js';
import { ScheduledPaymentSchema } from './scheduled-payment.schema.js';

export const scheduledPayments = declareRule({
  name: 'scheduled-payments',
  read: 'scheduledPayments',
  permissions: [['ReadScheduledPaymentsBasic', 'ReadScheduledPaymentsDetail']],
  window: 'always',
  ids: { kind: 'scheduled-payment', uniqueWithin: 'account' },
  summary: 'Domestic scheduled payments',
});

export const scheduledPaymentsForm = declareForm(scheduledPayments, {
  path: '/accounts/:AccountId/scheduled-payments',
  collection: 'ScheduledPayment',
  schema: ScheduledPaymentSchema,
  map: toScheduledPayment,
});
