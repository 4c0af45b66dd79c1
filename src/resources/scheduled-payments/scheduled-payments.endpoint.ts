import { declareRule } from '../../endpoint/endpoint-rule.js';
import { scheduledPaymentFields } from './scheduled-payment.mapper.js';

export const scheduledPayments = declareRule({
  name: 'scheduled-payments',
  read: 'scheduledPayments',
  permissions: [['ReadScheduledPaymentsBasic', 'ReadScheduledPaymentsDetail']],
  window: 'always',
  ids: { kind: 'scheduled-payment', uniqueWithin: 'account' },
  fields: scheduledPaymentFields,
  summary: 'Domestic scheduled payments',
});
