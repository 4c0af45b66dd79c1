import { currencyOf, textOf, wordOf, type CoreAccount, type Row } from '../../packages/core-adapter/published-port.js';

const products: Readonly<Record<string, string>> = { CURRENT: 'CurrentAccount', SAVINGS: 'Savings' };

export function toAccount(row: Row): CoreAccount {
  return {
    ref: textOf(row, 'id'),
    product: wordOf(row, 'product', products),
    currency: currencyOf(row, 'currency'),
    permitted: wordOf(row, 'status', { OPEN: true, BLOCKED: false }),
    holder: wordOf(row, 'holder', { PERSON: 'personal', COMPANY: 'business' }),
  };
}
