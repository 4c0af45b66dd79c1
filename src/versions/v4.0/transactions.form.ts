import { transactionsFormWith } from '../shared/transactions.form.js';
import { balanceTypes } from './balances.form.js';

/** ExternalEntryStatus1Code. */
const statuses = { booked: 'BOOK', pending: 'PDNG' };

export const transactionsForm = transactionsFormWith({ statuses, bookedBalance: balanceTypes['closing-booked'] });
