import type pg from 'pg';
import type { AccountTruth } from '../../../packages/adapter-kit/adapter-kit.js';
import type { CoreMoney, CoreTime } from '../../../packages/core-adapter/core.records.js';

/**
 * The core's tables, and the views that it shows to the gateway. `id` is compared by bytes, in the order of the port.
 * Where a transaction has a day only, `sorted_at` is its 00:00 UTC.
 */
export const schema = `
  CREATE TABLE persons (customer_ref text PRIMARY KEY, person_ref text, name text);
  CREATE TABLE accounts (
    account_ref text PRIMARY KEY, customer_ref text, product text, currency text, state text, holder text, label text,
    sort_code text, account_number text, iban text, card_number text);
  CREATE TABLE balances (account_ref text, kind text, amount bigint, as_of timestamptz, overdraft bigint);
  CREATE TABLE transactions (
    account_ref text, id text COLLATE "C", status text, at timestamptz, at_day date, made_at timestamptz,
    expected_at timestamptz, value_at timestamptz, value_at_day date, amount bigint, text text, balance bigint,
    fx_currency text, fx_rate text,
    sorted_at timestamptz GENERATED ALWAYS AS (coalesce(at, at_day::timestamp AT TIME ZONE 'UTC')) STORED);
  CREATE INDEX ON transactions (account_ref, sorted_at, id);
  CREATE VIEW person_view AS SELECT * FROM persons;
  CREATE VIEW account_view AS SELECT * FROM accounts;
  CREATE VIEW balance_view AS SELECT balances.*, currency FROM balances JOIN accounts USING (account_ref);
  CREATE VIEW transaction_view AS SELECT transactions.*, currency FROM transactions JOIN accounts USING (account_ref);`;

/** Writes the truth into the tables, in the core's form. */
export async function fill(
  core: pg.Client,
  people: ReadonlyMap<string, ReadonlyMap<string, AccountTruth>>,
): Promise<void> {
  const insert = (table: string, rows: readonly object[]): Promise<unknown> => {
    const columns = Object.keys(rows[0] ?? {});
    if (columns.length === 0) return Promise.resolve();
    return core.query(
      `INSERT INTO ${table} (${columns.join()}) SELECT ${columns.join()} FROM json_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  };
  for (const [customerRef, accounts] of people) {
    const all = [...accounts.values()];
    const { ref, name } = all[0]?.party?.[0] ?? {};
    await insert('persons', [{ customer_ref: customerRef, person_ref: ref, name }]);
    await insert(
      'accounts',
      all.map((truth) => accountRow(customerRef, truth)),
    );
    for (const truth of all) {
      await insert('balances', balanceRows(truth));
      await insert('transactions', transactionRows(truth));
    }
  }
  // The server would do so later; until then it sorts the whole history for each page.
  await core.query('ANALYZE');
}

const products: Readonly<Record<string, string>> = { CurrentAccount: 'CA', Savings: 'SA', CreditCard: 'CC' };

function accountRow(customerRef: string, { account }: AccountTruth): object {
  return {
    account_ref: account.ref,
    customer_ref: customerRef,
    product: products[account.product],
    currency: account.currency,
    state: account.permitted ? 'OPEN' : 'BLOCKED',
    holder: account.holder === 'personal' ? 'P' : 'B',
    label: account.description,
    sort_code: account.sortCode,
    account_number: account.accountNumber,
    iban: account.iban,
    card_number: account.cardLastFour && `492900000000${account.cardLastFour}`,
  };
}

function balanceRows({ account, balances = [] }: AccountTruth): object[] {
  return balances.map(({ kind, amount, at, creditLimit }) => ({
    account_ref: account.ref,
    kind: kind.toUpperCase(),
    amount: unitsOf(amount),
    as_of: at,
    overdraft: creditLimit && unitsOf(creditLimit),
  }));
}

function transactionRows({ account, transactions = [] }: AccountTruth): object[] {
  return transactions.map((row) => ({
    account_ref: account.ref,
    id: row.id,
    status: row.status === 'booked' ? 'BOOKED' : 'HELD',
    ...timeAndDay('at', row.at),
    made_at: row.madeAt,
    expected_at: row.expectedBookingAt,
    ...timeAndDay('value_at', row.valueAt),
    amount: unitsOf(row.amount),
    text: row.description,
    balance: row.runningBalance && unitsOf(row.runningBalance),
    fx_currency: row.exchange?.sourceCurrency,
    fx_rate: row.exchange?.rate,
  }));
}

function timeAndDay(column: string, time: CoreTime | undefined): object {
  const isTime = time === undefined || time instanceof Date;
  return { [column]: isTime ? time : undefined, [`${column}_day`]: isTime ? undefined : time.date };
}

function unitsOf({ minorUnits }: CoreMoney): string {
  return String(minorUnits);
}
