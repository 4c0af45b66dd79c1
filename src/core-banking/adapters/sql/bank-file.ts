import {
  type AccountRead,
  accountReads,
  type FundsRead,
  fundsReads,
} from '../../../../packages/core-adapter/core.adapter.js';
import { type MappedCore, readCore, readReads } from '../../record-mapping/mapped-core.js';
import { type Column, columnsOf, type Mapping, readMapping } from '../../record-mapping/mapping.js';
import { FileFault, type YamlNode, readYaml, withAllFaults } from '../../record-mapping/yaml-node.js';
import { parametersIn } from './named-parameters.js';
import type { Fields } from '../../record-mapping/field-kinds.js';
import { accountFields } from '../../record-mapping/record-fields.js';

/** Unquoted in the statement, so that the database folds it as it does in the query. */
const columnName = /^[A-Za-z_]\w{0,62}$/;
/** The forms by which a query can select a time. */
const times = ['instant', 'local-time', 'day', 'YYYYMMDD'] as const;

/** One read: the bank's own query, and the mapping of its columns to the fields of the port's record. */
export interface BankRead {
  /** Where it stands in the file: `balances`. */
  readonly path: string;
  readonly query: string;
  readonly columns: Mapping;
  readonly fields: Fields;
}

/** The bank's file that `CORE_SQL_FILE` names. */
export interface BankFile extends MappedCore {
  readonly missing: Readonly<Partial<Record<AccountRead | FundsRead, string>>>;
  readonly accounts: BankRead & {
    /** The column with the customer's reference: a row of another customer is not shown. */
    readonly customer: string;
  };
  readonly reads: Readonly<Partial<Record<AccountRead, BankRead>>>;
  readonly findPaymentAccount?: NumberSearch;
}

/** Finds the account with a number: a row for each of its holders. */
export interface NumberSearch {
  readonly query: string;
  readonly columns: Readonly<Record<(typeof searchColumns)[number], string>>;
}

const searchColumns = ['customer', 'account', 'name'] as const;
/** One number, in the parameters of its scheme: those of the other scheme are `NULL`. */
export const numberParameters = ['sort_code', 'account_number', 'iban', 'secondary_identification'] as const;

/** @throws FileFault for all faults, each with its path in the file */
export function readBankFile(text: string): BankFile {
  const file = readYaml(text);
  const optionalKeys = [
    'timeZone',
    'maxTransactionHistory',
    'codes',
    'missing',
    'test',
    ...accountReads,
    'findPaymentAccount',
  ];
  // The port has the customer of the consent as the party, and no other holder.
  const ofRead = (read: AccountRead, node: YamlNode, fields: Fields): BankRead =>
    readRead(file, node, fields, read === 'party' ? 'customer' : 'account');
  const [, core, accounts, served, search] = withAllFaults([
    () => file.members(['name', 'pending', 'accounts'], optionalKeys),
    () => readCore(file),
    () => readAccounts(file),
    () => readReads(file, 'no file of queries can have it yet', ofRead, fundsReads),
    () => readSearch(file.optional('findPaymentAccount')),
  ]);
  const { status } = served.reads.transactions?.columns ?? {};
  if (core.pending === 'none' && status !== undefined && 'codes' in status && hasPending(status))
    throw file.at('pending').fault('must not be none: transactions.columns.status has codes of pending transactions');
  if (search !== undefined) return { ...core, accounts, ...served, findPaymentAccount: search };
  const findPaymentAccount = served.missing.findPaymentAccount ?? 'the file of queries has no findPaymentAccount';
  return { ...core, accounts, ...served, missing: { ...served.missing, findPaymentAccount } };
}

function readSearch(node: YamlNode | undefined): NumberSearch | undefined {
  if (node === undefined) return undefined;
  node.members(['query', 'columns']);
  const columns = node.at('columns');
  columns.members(searchColumns);
  const query = queryAt(node, numberParameters);
  if (!parametersIn(query).includes('account_number') && !parametersIn(query).includes('iban'))
    throw node.at('query').fault('must select by :sort_code and :account_number, by :iban, or by either');
  const names = searchColumns.map((name) => [name, columns.at(name).text(columnName)]);
  return { query, columns: Object.fromEntries(names) as NumberSearch['columns'] };
}

/** @throws FileFault where it has another parameter than these */
function queryAt(node: YamlNode, parameters: readonly string[]): string {
  const query = node
    .at('query')
    .text()
    .replace(/[;\s]+$/, '');
  const unknown = parametersIn(query).find((name) => !parameters.includes(name));
  if (unknown !== undefined) throw node.at('query').fault(`has the unknown parameter :${unknown}`);
  return query;
}

function readAccounts(file: YamlNode): BankFile['accounts'] {
  const accounts = readRead(file, file.at('accounts'), accountFields, 'customer', ['customer']);
  const customer = file.at('accounts').at('columns').at('customer').text();
  return { ...accounts, customer };
}

function readRead(
  file: YamlNode,
  node: YamlNode,
  fields: Fields,
  parameter: 'customer' | 'account',
  others: readonly string[] = [],
): BankRead {
  node.members(['query', 'columns']);
  const query = queryAt(node, ['customer', 'account']);
  const named = parametersIn(query);
  if (!named.includes(parameter)) throw node.at('query').fault(`must select by :${parameter}`);
  if (parameter === 'customer' && others.length > 0 && named.includes('account'))
    throw node.at('query').fault('must not use :account: it lists all accounts of :customer');
  const columns = readMapping(node.at('columns'), fields, { codes: file.optional('codes'), others, times, columnName });
  const local = columnsOf(columns).find(({ as }) => as === 'local-time');
  if (local !== undefined && file.optional('timeZone') === undefined)
    throw new FileFault(local.path, 'is a local time: set timeZone');
  for (const name of ['ref', 'id'])
    if (columns[name] !== undefined && !('column' in columns[name]))
      throw node.at('columns').at(name).fault('must be a column');
  return { path: node.path, query, columns, fields };
}

function hasPending({ codes = {} }: Pick<Column, 'codes'>): boolean {
  return Object.values(codes).includes('pending');
}
