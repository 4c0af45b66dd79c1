import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { type Row, RowFault } from '../../../packages/core-adapter/core-rows.js';
import type { CoreAccount, CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import { type BankFile, type BankRead, readBankFile } from '../../../src/core-banking/adapters/sql/bank-file.js';
import { ofItsStatus } from '../../../src/core-banking/adapters/sql/sql.rows.js';
import { accountColumnsOf, columnNames } from '../../../src/core-banking/adapters/sql/statements.js';
import { columnsOf, type Mapping } from '../../../src/core-banking/record-mapping/mapping.js';
import { recordReader } from '../../../src/core-banking/record-mapping/record-reader.js';
import { ExampleFault, type CheckedPart, type ReadExample } from '../../support/examples.js';
import { missingCases, pathsOf } from '../../support/needed-examples.js';

/** Not a column of the query: the account whose row it is, because the row's money is in the currency of the account. */
const ofAccount = ':account';

type Cells = Readonly<Record<string, string>>;
type Translate = (row: Row, currency: string) => object;

/** The reads of the bank's file, each of which needs examples. */
export function checkedParts(path: string): CheckedPart[] {
  const file = readBankFile(readFileSync(path, 'utf8'));
  const currencies = new Map<string, string>();
  return [
    accountsPart(file, currencies),
    ...Object.entries(file.reads).map(([name, read]) => readPart(name, read, file, currencies)),
  ];
}

/** @param currencies takes that of each account among the examples */
function accountsPart(file: BankFile, currencies: Map<string, string>): CheckedPart {
  const { accounts } = file;
  const translate = recordReader(accounts.fields, accounts.columns, file);
  const header = accountColumnsOf(file);
  return {
    name: 'accounts',
    read: (rows) =>
      cellsOf(rows, header).map((cells) =>
        example(cells, (row) => {
          const account = translate(row, '') as unknown as CoreAccount;
          currencies.set(account.ref, account.currency);
          return { customer: cells[accounts.customer]?.trim(), ...account };
        }),
      ),
    lacks: (examples) => missingCases({ ...accounts, hasCurrencies: () => false, hasPending: false }, examples),
    start: { header: header.join(','), fields: ['customer', ...pathsOf(accounts.columns)] },
  };
}

function readPart(name: string, read: BankRead, file: BankFile, currencies: ReadonlyMap<string, string>): CheckedPart {
  const { columns, fields } = read;
  const translate: Translate = recordReader(fields, columns, file);
  const inAccountsCurrency = hasMoneyOfAccount(columns);
  const header = [...(inAccountsCurrency ? [ofAccount] : []), ...columnNames(columns)];
  const manyCurrencies = 'column' in (file.accounts.columns.currency ?? {});
  return {
    name,
    read: (rows) =>
      cellsOf(rows, header).map((cells) =>
        example(cells, (row) => {
          const record = translate(row, inAccountsCurrency ? currencyOf(cells, currencies) : '');
          return name === 'transactions' ? ofItsStatus(record as CoreTransaction) : record;
        }),
      ),
    lacks: (examples) =>
      missingCases(
        {
          ...read,
          hasCurrencies: ({ currency }) => (currency === undefined ? manyCurrencies : 'column' in currency),
          hasPending: name === 'transactions' && file.pending !== 'none',
        },
        examples,
      ),
    start: { header: header.join(','), fields: pathsOf(columns) },
  };
}

function hasMoneyOfAccount(columns: Mapping): boolean {
  return columnsOf(columns).some(
    ({ as, currency }) => currency === undefined && (as === 'decimal' || as === 'minor-units'),
  );
}

function currencyOf(cells: Cells, currencies: ReadonlyMap<string, string>): string {
  const currency = currencies.get(cells[ofAccount]?.trim() ?? '');
  if (currency === undefined) throw new RowFault(ofAccount, 'no account among the examples of accounts');
  return currency;
}

function cellsOf(text: string, header: readonly string[]): Cells[] {
  let rows: Cells[];
  let names: readonly string[] = [];
  try {
    rows = parse<Cells>(text, { columns: (first: string[]) => (names = first.map((name) => name.trim())) });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ExampleFault(`its rows are not valid CSV (${error.code})`);
  }
  const missing = header.find((name) => !names.includes(name));
  if (missing !== undefined) throw new ExampleFault(`its rows have no column ${JSON.stringify(missing)}`);
  return rows;
}

function example(cells: Cells, read: (row: Row) => object): ReadExample {
  const row = Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, cell === '' ? null : cell]));
  try {
    return { row: cells, record: read(row) };
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    return { row: cells, fault: error.message };
  }
}
