import { balancesFormWith } from '../shared/balances.form.js';

/** OBBalanceType1Code. */
export const balanceTypes = {
  'interim-booked': 'InterimBooked',
  available: 'InterimAvailable',
  'closing-booked': 'ClosingBooked',
} as const;

export const balancesForm = balancesFormWith(balanceTypes);
