import type { AccountTruth } from '../../../packages/adapter-kit/adapter-kit.js';
import type { FeedFile, PartForm } from '../../../src/core-banking/adapters/feed/feed-file.js';
import { columnsOf } from '../../../src/core-banking/record-mapping/mapping.js';
import { type People, people } from '../people.js';

/** The id of a payment abroad, which the mapping leaves out. */
export const foreignId = '799999';

/** Those whose currencies the mapping can express, in them. A core without pending transactions has none of them. */
export function peopleIn({ parts, currency, pending }: FeedFile): People {
  const { currency: ofAccounts } = (parts.accounts as PartForm).columns;
  const money = (['balances', 'transactions'] as const).flatMap((part) => columnsOfMoney(parts[part]));
  const one = 'value' in (ofAccounts ?? {}) ? String((ofAccounts as { value: unknown }).value) : currency;
  const hasMany = 'column' in (ofAccounts ?? {}) && money.every((column) => column.currency !== undefined);
  const inCurrency = (truth: AccountTruth): AccountTruth => (hasMany ? truth : (renamed(truth, one) as AccountTruth));
  return new Map(
    [...people].map(([ref, accounts]) => [
      ref,
      accounts
        .filter(({ account }) => hasMany || account.currency === 'GBP')
        .map(({ transactions = [], ...truth }) =>
          inCurrency({
            ...truth,
            transactions: transactions.filter(({ status }) => status === 'booked' || pending !== 'none'),
            ...(truth.scheduledPayments?.length && { international: [foreignId] }),
          }),
        ),
    ]),
  );
}

function columnsOfMoney(form: PartForm | undefined) {
  return form === undefined ? [] : columnsOf(form.columns).filter(({ as }) => as === 'decimal' || as === 'minor-units');
}

/** With the currency in the place of GBP. */
function renamed(value: unknown, currency: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, currency));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'currency' && inner === 'GBP' ? currency : renamed(inner, currency),
    ]),
  );
}
