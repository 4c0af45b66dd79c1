import { balancesFormWith } from '../shared/balances.form.js';

/** OBBalanceType1Code. */
export const balanceTypes = { 'interim-booked': 'ITBD', available: 'ITAV', 'closing-booked': 'CLBD' } as const;

export const balancesForm = balancesFormWith(balanceTypes);
