import type { BankFile, BankRead } from './bank-file.js';
import type { Dialect, Statement } from './dialect.js';
import { type As, type Column, columnsOf, type Mapping } from '../../record-mapping/mapping.js';

/** A larger answer is a mistake in the query. */
export const mostRows = 10_000;

/** A column of an answer, and how its money or time is written. */
type Forms = ReadonlyMap<string, As | undefined>;

/** Every column that a mapping reads, once. */
function formsOf(mapping: Mapping): Forms {
  const forms = new Map<string, As | undefined>();
  for (const { column, as, sign } of columnsOf(mapping)) {
    forms.set(column, as ?? forms.get(column));
    if (sign !== undefined) forms.set(sign.column, forms.get(sign.column));
  }
  return forms;
}

export function columnNames(mapping: Mapping): string[] {
  return [...formsOf(mapping).keys()];
}

/** The bank's query as a table; the line break ends a comment in its last line. */
const table = (query: string): string => `(\n${query}\n)`;

const listed = (alias: string, columns: readonly string[]): string =>
  columns.map((column) => `${alias}.${column}`).join(', ');

/** The same, as the answer shows them. */
const shown = (alias: string, forms: Forms, { shown: show }: Dialect): string =>
  [...forms].map(([column, as]) => show(`${alias}.${column}`, as)).join(', ');

function accountForms({ accounts }: BankFile): Forms {
  const forms = formsOf(accounts.columns);
  return new Map([[accounts.customer, forms.get(accounts.customer)], ...forms]);
}

export function accountColumnsOf(file: BankFile): string[] {
  return [...accountForms(file).keys()];
}

/** All accounts of the customer. The order is the same at each call. */
export function accountList(file: BankFile, dialect: Dialect): Statement {
  const select = `SELECT ${shown('a', accountForms(file), dialect)} FROM ${table(file.accounts.query)} a`;
  return { name: 'accounts', sql: dialect.atMost(select, mostRows + 1) };
}

/** The account, with the number of rows that it has: one of two rows would show each record twice. */
function accountSelect(file: BankFile, columns: string): string {
  const { column } = file.accounts.columns.ref as { column: string };
  return `SELECT ${columns}, count(*) OVER () AS account_rows FROM ${table(file.accounts.query)} a WHERE a.${column} = :account`;
}

export function oneAccount(file: BankFile, dialect: Dialect): Statement {
  return { name: 'account', sql: accountSelect(file, shown('a', accountForms(file), dialect)) };
}

/** The account and its records in one statement, and so as they are at one moment. */
export function recordsOfAccount(file: BankFile, records: string, mapping: Mapping, dialect: Dialect): string {
  const ofAccount = shown('account', accountForms(file), dialect);
  return `SELECT ${ofAccount}, account.account_rows, record.present, ${shown('record', formsOf(mapping), dialect)}
FROM ${table(accountSelect(file, listed('a', accountColumnsOf(file))))} account
LEFT JOIN ${table(records)} record ON 1 = 1`;
}

export function listOfRecords(file: BankFile, read: BankRead, dialect: Dialect): Statement {
  const select = `SELECT 1 AS present, ${listed('r', columnNames(read.columns))} FROM ${table(read.query)} r`;
  const records = dialect.atMost(select, mostRows + 1);
  return { name: read.path, sql: recordsOfAccount(file, records, read.columns, dialect) };
}

/** The codes of a column that mean the word. */
export function codesMeaning({ codes }: Column, word: string): readonly string[] {
  if (codes === undefined) return [word];
  return Object.entries(codes).flatMap(([code, meaning]) => (meaning === word ? [code] : []));
}
