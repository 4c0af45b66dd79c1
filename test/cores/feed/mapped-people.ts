import { accountReads } from '../../../packages/core-adapter/core.adapter.js';
import type { CoreAccount } from '../../../packages/core-adapter/core.records.js';
import type { AccountKey, CsvForm, FeedFile, PartForm } from '../../../src/core-banking/adapters/feed/feed-file.js';
import { columnsOf } from '../../../src/core-banking/record-mapping/mapping.js';
import type { People } from '../../adapter-kit/tiny-people.js';
import { people } from '../../support/plain-people.js';

/** The id of a payment abroad, which the mapping leaves out. */
export const foreignId = '799999';

/** How a part in camt.053 names the account. */
export function keyOfStatements(form: PartForm | undefined): AccountKey | undefined {
  return form?.format === 'camt.053' ? form.accountBy : undefined;
}

/** Those whose currencies the mapping can express, in them. A core without pending transactions has none of them. */
export function peopleIn({ parts, currency, pending }: FeedFile): People {
  const { currency: ofAccounts } = (parts.accounts as CsvForm).columns;
  const money = (['balances', 'transactions'] as const).flatMap((part) => columnsOfMoney(parts[part]));
  const isByIban = Object.values(parts).some((form) => keyOfStatements(form) === 'iban');
  const one = 'value' in (ofAccounts ?? {}) ? String((ofAccounts as { value: unknown }).value) : currency;
  const hasMany = 'column' in (ofAccounts ?? {}) && money.every((column) => column.currency !== undefined);
  const inCurrency = <T>(value: T): T => (hasMany ? value : (renamed(value, one) as T));
  return new Map(
    [...people].map(([ref, accounts]) => [
      ref,
      new Map(
        accounts
          .filter(({ account }) => hasMany || account.currency === 'GBP')
          .map((truth) => ({
            ...truth,
            transactions: (truth.transactions ?? [])
              .filter(({ status }) => status === 'booked' || pending !== 'none')
              .map((row) => inCurrency(row)),
            account: inCurrency(isByIban ? { iban: ibanOf(truth.account), ...truth.account } : truth.account),
            ...Object.fromEntries(
              accountReads
                .filter((read) => read !== 'transactions')
                .map((read) => [read, inCurrency(truth[read] ?? [])]),
            ),
            ...(truth.scheduledPayments?.length ? { international: [foreignId] } : {}),
          }))
          .map((truth) => [truth.account.ref, truth]),
      ),
    ]),
  );
}

function ibanOf({ ref }: CoreAccount): string {
  return `GB00KITB${ref.padStart(14, '0')}`;
}

/** The amounts of statements name their currencies. */
function columnsOfMoney(form: PartForm | undefined) {
  return form?.format !== 'csv'
    ? []
    : columnsOf(form.columns).filter(({ as }) => as === 'decimal' || as === 'minor-units');
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
