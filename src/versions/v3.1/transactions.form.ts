import { transactionsFormWith } from '../shared/transactions.form.js';
import { balanceTypes } from './balances.form.js';

/** OBEntryStatus1Code. */
const statuses = { booked: 'Booked', pending: 'Pending' };

export const transactionsForm = transactionsFormWith({ statuses, bookedBalance: balanceTypes['closing-booked'] });
