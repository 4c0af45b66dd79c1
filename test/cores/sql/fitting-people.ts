import { type AccountRead, accountReads } from '../../../packages/core-adapter/core.adapter.js';
import type { BankFile } from '../../../src/core-banking/adapters/sql/bank-file.js';
import type { Source } from '../../../src/core-banking/record-mapping/mapping.js';
import { type People, people } from '../people.js';

/** The fields of a read that have one value in all accounts of a customer, or in all records of an account. */
export type SameFields = Readonly<Partial<Record<AccountRead | 'accounts', readonly string[]>>>;

/**
 * The kit's people as a bank with such a file has them: in its currencies; with the customer's reference as the party's, where
 * one column has both; and with one value of the fields that `same` names.
 */
export function fittingPeople({ accounts, reads }: BankFile, { same }: { readonly same: SameFields }): People {
  const isCustomer = columnOf(reads.party?.columns.ref as Source | undefined) === accounts.customer;
  const has = currenciesOf(accounts.columns.currency as Source);
  return new Map(
    [...people].map(([customerRef, truths]) => {
      const fitting = truths.filter(({ account }) => has(account.currency));
      const [first] = fitting;
      return [
        customerRef,
        fitting.map((truth) => ({
          ...truth,
          ...Object.fromEntries(accountReads.map((read) => [read, alike(truth[read] ?? [], same[read])])),
          account: withFields(truth.account, first?.account ?? truth.account, same.accounts),
          ...(isCustomer && { party: (truth.party ?? []).map((party) => ({ ...party, ref: customerRef })) }),
        })),
      ];
    }),
  );
}

function columnOf(source: Source | undefined): string | undefined {
  return source !== undefined && 'column' in source ? source.column : undefined;
}

function currenciesOf(source: Source): (currency: string) => boolean {
  if (!('column' in source)) return (currency) => currency === source.value;
  const known = source.codes && Object.values(source.codes);
  return (currency) => known === undefined || known.includes(currency);
}

function alike(records: readonly object[], fields: readonly string[] | undefined): readonly object[] {
  return records.map((record) => withFields(record, records[0] as object, fields));
}

function withFields<T extends object>(record: T, like: object, fields: readonly string[] = []): T {
  const values = like as Readonly<Record<string, unknown>>;
  return { ...record, ...Object.fromEntries(fields.map((field) => [field, values[field]])) };
}
