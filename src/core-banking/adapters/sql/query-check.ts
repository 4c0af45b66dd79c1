import type { AccountRead } from '../../../../packages/core-adapter/core.adapter.js';
import type { TransactionQuery } from '../../../../packages/core-adapter/core.records.js';
import type { BankFile, BankRead } from './bank-file.js';
import {
  type CellKind,
  type Description,
  type Dialect,
  type ParameterKind,
  type SqlDatabase,
  StatementFault,
} from './dialect.js';
import { type As, type Column, columnsOf } from '../../record-mapping/mapping.js';
import { FileFault, throwAll } from '../../record-mapping/yaml-node.js';
import { accountByNumber, accountList, listOfRecords, oneAccount } from './statements.js';
import { transactionStatement } from './sql.transactions.js';

/** The facts that the check of the queries found. */
export interface CheckedQueries {
  /** The types with which the queries compare `:customer` and `:account`. */
  readonly compared: Readonly<Record<'customer' | 'account', readonly ParameterKind[]>>;
}

const kindsOf: Readonly<Record<As, readonly CellKind[]>> = {
  decimal: ['number'],
  'minor-units': ['number'],
  instant: ['instant'],
  'local-time': ['local-time'],
  day: ['day'],
  YYYYMMDD: ['number', 'text'],
  // A file of an SQL core cannot name these.
  'DD/MM/YYYY': [],
  iso: [],
};
const plainKinds: readonly CellKind[] = ['text', 'number', 'boolean'];

/** A page of each kind, so that the database checks every condition. */
const searches: readonly TransactionQuery[] = [
  { read: 'older', limit: 100, position: { atMs: 0, id: '0' }, direction: 'credit', status: 'booked' },
  { read: 'newer', limit: 100, from: new Date(0), to: new Date(0), direction: 'debit' },
];

/**
 * Has the database check every query of the file, before the first read: the names of tables and columns, the types that the
 * mapping can read, and the parameters.
 * @throws FileFault
 */
export async function checkFile(
  file: BankFile,
  dialect: Dialect,
  database: SqlDatabase,
  signal: AbortSignal,
): Promise<CheckedQueries> {
  const compared = { customer: new Array<ParameterKind>(), account: new Array<ParameterKind>() };
  const check = async (read: BankRead, sql: string): Promise<void> => {
    const found = await described(read, database, sql, signal);
    for (const { name, kind } of found.parameters) {
      if (name !== 'customer' && name !== 'account') continue;
      if (kind === 'other')
        throw new FileFault(`${read.path}.query`, `compares :${name} with a type that is neither text nor number`);
      compared[name].push(kind);
    }
  };

  await checkColumns(file.accounts, database, signal, [file.accounts.customer]);
  await check(file.accounts, accountList(file, dialect).sql);
  await check(file.accounts, oneAccount(file).sql);
  const faults: FileFault[] = [];
  for (const [name, read] of Object.entries(file.reads) as [AccountRead, BankRead][]) {
    const statements =
      name === 'transactions'
        ? searches.map((query) => transactionStatement({ file, read, dialect }, query, query.limit).statement)
        : [listOfRecords(file, read, dialect)];
    try {
      await checkColumns(read, database, signal);
      for (const { sql } of statements) await check(read, sql);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      faults.push(error);
    }
  }
  throwAll(faults);
  await checkSearch(file, database, signal);
  return { compared };
}

async function checkSearch(file: BankFile, database: SqlDatabase, signal: AbortSignal): Promise<void> {
  if (file.findPaymentAccount === undefined) return;
  const { sql } = accountByNumber(file, file.findPaymentAccount);
  await described({ path: 'findPaymentAccount' }, database, sql, signal);
}

/** The first line of the statement is not the file's. The line break ends a comment in the last line of the query. */
const asSubquery = (query: string): string => `SELECT * FROM (\n${query}\n) bank`;

async function checkColumns(
  read: BankRead,
  database: SqlDatabase,
  signal: AbortSignal,
  plainColumns: readonly string[] = [],
): Promise<void> {
  const { columns } = await described(read, database, asSubquery(read.query), signal, 1);
  const kinds = new Map(columns.map(({ name, kind }) => [name.toLowerCase(), kind]));
  const checkColumn = (column: string, path: string, allowed: readonly CellKind[], as?: As): void => {
    const kind = kinds.get(column.toLowerCase());
    if (kind === undefined) throw new FileFault(path, `reads ${column}, which the query does not select`);
    if (!allowed.includes(kind))
      throw new FileFault(
        path,
        `cannot read ${column}${as === undefined ? '' : ` as ${as}`}: it is ${describedKind(kind)}`,
      );
  };
  for (const column of plainColumns) checkColumn(column, `${read.path}.columns.customer`, plainKinds);
  const forms = new Map<string, As>();
  for (const column of columnsOf(read.columns)) {
    checkColumn(column.column, column.path, allowedFor(column), column.as);
    if (column.sign !== undefined) checkColumn(column.sign.column, column.sign.path, plainKinds);
    const { as } = column;
    const other = forms.get(column.column);
    if (as !== undefined && other !== undefined && as !== other)
      throw new FileFault(column.path, `reads ${column.column} as ${as}, and another field reads it as ${other}`);
    if (as !== undefined) forms.set(column.column, as);
  }
}

function allowedFor({ as }: Column): readonly CellKind[] {
  return as === undefined ? plainKinds : kindsOf[as];
}

function describedKind(kind: CellKind): string {
  const words: Readonly<Record<CellKind, string>> = {
    text: 'a text',
    number: 'a number',
    boolean: 'a boolean',
    day: 'a day',
    'local-time': 'a time without a zone',
    instant: 'a time with a zone',
    other: 'of a type that loses digits or has no meaning here',
  };
  return words[kind];
}

async function described(
  read: Pick<BankRead, 'path'>,
  database: SqlDatabase,
  sql: string,
  signal: AbortSignal,
  linesBefore?: number,
): Promise<Description> {
  try {
    return await database.describe(sql, signal);
  } catch (error) {
    if (!(error instanceof StatementFault)) throw error;
    const { fault, line } = error;
    const isOfTheFile = line !== undefined && linesBefore !== undefined;
    throw new FileFault(`${read.path}.query`, isOfTheFile ? `line ${line - linesBefore}: ${fault}` : fault);
  }
}
