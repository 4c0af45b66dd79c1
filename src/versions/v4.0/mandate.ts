import type { DirectDebitFields } from '../../resources/direct-debits/direct-debit.mapper.js';

/** ExternalMandateStatus1Code, of standing orders and direct debits. */
export const mandateStatuses: Readonly<Record<DirectDebitFields['status'], string>> = {
  active: 'ACTV',
  cancelled: 'CANC',
  expired: 'EXPI',
  suspended: 'SUSP',
};
