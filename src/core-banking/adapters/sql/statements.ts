import type { BankFile, BankRead, NumberSearch } from './bank-file.js';
import type { Dialect, Statement } from './dialect.js';
import { positioned } from './named-parameters.js';
import { type Column, columnsOf, type Mapping } from '../../record-mapping/mapping.js';

/** A larger answer is a mistake in the query. */
export const mostRows = 10_000;

/** Every column that a mapping reads, once. */
export function columnNames(mapping: Mapping): string[] {
  const names = columnsOf(mapping).flatMap(({ column, sign }) =>
    sign === undefined ? [column] : [column, sign.column],
  );
  return [...new Set(names)];
}

/** The bank's query as a table; the line break ends a comment in its last line. */
const table = (query: string): string => `(\n${query}\n)`;

const listed = (alias: string, columns: readonly string[]): string =>
  columns.map((column) => `${alias}.${column}`).join(', ');

export function accountColumnsOf({ accounts }: BankFile): string[] {
  return [...new Set([accounts.customer, ...columnNames(accounts.columns)])];
}

/** All accounts of the customer. The order is the same at each call. */
export function accountList(file: BankFile, dialect: Dialect): Statement {
  const select = `SELECT ${listed('a', accountColumnsOf(file))} FROM ${table(file.accounts.query)} a`;
  return { name: 'accounts', sql: dialect.first(select, mostRows + 1) };
}

/** The account, with the number of rows that it has: one of two rows would show each record twice. */
function accountSelect(file: BankFile): string {
  const { column } = file.accounts.columns.ref as { column: string };
  return `SELECT ${listed('a', accountColumnsOf(file))}, count(*) OVER () AS account_rows FROM ${table(file.accounts.query)} a WHERE a.${column} = :account`;
}

export function oneAccount(file: BankFile): Statement {
  return { name: 'account', sql: accountSelect(file) };
}

/** The account and its records in one statement, and so as they are at one moment. */
export function recordsOfAccount(file: BankFile, records: string, mapping: Mapping): string {
  return `SELECT ${listed('account', accountColumnsOf(file))}, account.account_rows, record.present, ${listed('record', columnNames(mapping))}
FROM ${table(accountSelect(file))} account
LEFT JOIN ${table(records)} record ON 1 = 1`;
}

export function listOfRecords(file: BankFile, read: BankRead, dialect: Dialect): Statement {
  const select = `SELECT 1 AS present, ${listed('r', columnNames(read.columns))} FROM ${table(read.query)} r`;
  const records = dialect.first(select, mostRows + 1);
  return { name: read.path, sql: recordsOfAccount(file, records, read.columns) };
}

/**
 * The holders of the account with a number, each with the account as the holder's list has it: one statement, so that it takes
 * the same calls whether the account exists or not.
 */
export function accountByNumber(file: BankFile, { query, columns }: NumberSearch): Statement {
  const found = { customer: `found.${columns.customer}`, account: `found.${columns.account}` };
  const { text: account } = positioned(accountSelect(file), (_, name) => found[name as keyof typeof found]);
  const sql = `SELECT ${found.customer}, ${found.account}, found.${columns.name}, ${listed('account', accountColumnsOf(file))}, account.account_rows
FROM ${table(query)} found
LEFT JOIN LATERAL ${table(account)} account ON 1 = 1`;
  return { name: 'account by number', sql };
}

/** The codes of a column that mean the word. */
export function codesMeaning({ codes }: Column, word: string): readonly string[] {
  if (codes === undefined) return [word];
  return Object.entries(codes).flatMap(([code, meaning]) => (meaning === word ? [code] : []));
}
