import {
  accountReads,
  type CoreAdapter,
  type CoreContext,
  type CoreItems,
  type CoreRead,
  type CoreTransactionsRead,
} from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError, isCoreError } from '../../../../packages/core-adapter/core-error.js';
import type { CoreAccount, CoreTransaction } from '../../../../packages/core-adapter/core.records.js';
import { RowFault, translateRows, type TimeAndId } from '../../../../packages/core-adapter/core-rows.js';
import type { CoreServices } from '../../../../packages/core-adapter/core-services.js';
import { CoreSettingFault, type CoreSettings } from '../../../../packages/core-adapter/core-settings.js';
import { readTlsFiles } from '../../../../packages/core-adapter/tls-files.js';
import type { BankFile, BankRead, numberParameters, NumberSearch } from './bank-file.js';
import type { CheckedQueries } from './query-check.js';
import type { Cell, Dialect, Parameters, SqlDatabase, Statement } from './dialect.js';
import { canBe, FileCheck, lateFault } from './file-check.js';
import type { Column } from '../../record-mapping/mapping.js';
import { FileFault } from '../../record-mapping/yaml-node.js';
import { postgresql } from './postgresql/postgresql.dialect.js';
import type { Fields } from '../../record-mapping/field-kinds.js';
import { recordReader } from '../../record-mapping/record-reader.js';
import { notFound, ofItsStatus, refuseTooMany, SqlRows } from './sql.rows.js';
import { readSqlSettings, type SqlSettings } from './sql.settings.js';
import { accountByNumber, accountList, columnNames, listOfRecords, mostRows, oneAccount } from './statements.js';
import { pageOf } from './page-of-rows.js';
import { transactionStatement } from './sql.transactions.js';

/** Reads a database by the queries and the mapping of the file that CORE_SQL_FILE names. */
export async function createAdapter(given: CoreSettings, { logger }: CoreServices): Promise<CoreAdapter> {
  const settings = readSqlSettings(given);
  const database = postgresql.open(settings);
  const check = new FileCheck(settings.file, postgresql, database);
  try {
    await check.done();
  } catch (error) {
    if (isCoreError(error) && error.kind !== 'bad-record')
      logger.warn(
        { kind: error.kind },
        `${error.connectFault === 'settings' ? error.detail : 'the database does not answer'}; it checks the file before the first read`,
      );
    else {
      await database.close();
      throw error instanceof FileFault
        ? new CoreSettingFault('CORE_SQL_FILE', `${settings.fileName}: ${error.message}`)
        : error;
    }
  }
  return new SqlAdapter(settings, postgresql, database, check);
}

class SqlAdapter implements CoreAdapter {
  readonly name: string;
  readonly pending: CoreAdapter['pending'];
  readonly missing: CoreAdapter['missing'];
  readonly maxTransactionHistory?: string;
  readonly findPaymentAccount?: NonNullable<CoreAdapter['findPaymentAccount']>;
  private readonly file: BankFile;
  private readonly fileName: string;
  private readonly rows: SqlRows;
  private readonly list: Statement;
  private readonly one: Statement;

  constructor(
    private readonly settings: SqlSettings,
    private readonly dialect: Dialect,
    private readonly database: SqlDatabase,
    private readonly fileCheck: FileCheck,
  ) {
    const { file, fileName } = settings;
    this.file = file;
    this.fileName = fileName;
    this.name = file.name;
    this.pending = file.pending;
    this.missing = file.missing;
    if (file.maxTransactionHistory !== undefined) this.maxTransactionHistory = file.maxTransactionHistory;
    this.rows = new SqlRows(file);
    this.list = accountList(file, dialect);
    this.one = oneAccount(file);
    Object.assign(this, this.readsOfFile());
    if (file.findPaymentAccount !== undefined) this.findPaymentAccount = this.searchOf(file.findPaymentAccount);
  }

  async accounts({ customerRef, signal }: CoreContext): Promise<CoreItems<CoreAccount>> {
    if (!(await this.canBe({ customer: customerRef }, signal))) return { items: [], bad: [] };
    return this.rows.accounts(await this.database.rows(this.list, { customer: customerRef }, signal), customerRef);
  }

  async account(accountRef: string, context: CoreContext): Promise<CoreAccount> {
    const cells = await this.ask(this.one, {}, accountRef, context);
    return this.rows.account(cells, context.customerRef, accountRef);
  }

  async health(signal: AbortSignal): Promise<void> {
    await this.canBe({}, signal);
    await this.database.rows({ name: 'health', sql: this.dialect.ping }, {}, signal);
  }

  renewCertificates(): () => void {
    const { tls, tlsFiles } = this.settings;
    if (tls === undefined) return () => undefined;
    const terms = readTlsFiles(tlsFiles);
    return () => this.database.useCertificates(terms);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  private readsOfFile(): Partial<CoreAdapter> {
    const reads = accountReads.flatMap((name) => {
      const read = this.file.reads[name];
      if (read === undefined) return [];
      return [[name, name === 'transactions' ? this.transactionsOf(read) : this.recordsOf(read)] as const];
    });
    // The fields of the file are those of the port's records, which the compiler cannot see.
    return Object.fromEntries(reads);
  }

  private searchOf(search: NumberSearch): NonNullable<CoreAdapter['findPaymentAccount']> {
    const statement = accountByNumber(this.file, search);
    return async ({ scheme, identification, secondaryIdentification = null }, { signal }) => {
      await this.checked(signal);
      const isIban = scheme === 'iban';
      const parameters = {
        sort_code: isIban ? null : identification.slice(0, 6),
        account_number: isIban ? null : identification.slice(6),
        iban: isIban ? identification : null,
        secondary_identification: secondaryIdentification,
      } satisfies Record<(typeof numberParameters)[number], string | null>;
      return this.rows.found(await this.database.rows(statement, parameters, signal));
    };
  }

  private recordsOf(read: BankRead): (accountRef: string, context: CoreContext) => Promise<CoreRead<object>> {
    const statement = listOfRecords(this.file, read, this.dialect);
    const columns = columnNames(read.columns);
    const translate = recordReader(read.fields, read.columns, this.file);
    return async (accountRef, context) => {
      const cells = await this.ask(statement, {}, accountRef, context);
      const { account, rows } = this.rows.withRecords(cells, columns, context.customerRef, accountRef);
      refuseTooMany(rows, read.path);
      return { account, ...translateRows(read.path, rows, (row) => translate(row, account.currency)) };
    };
  }

  private transactionsOf(read: BankRead): NonNullable<CoreAdapter['transactions']> {
    const columns = columnNames(read.columns);
    const keys = read.columns as { readonly at: Column; readonly id: Column };
    const translate = recordReader(read.fields, read.columns, this.file);
    const { at, id } = read.fields as Required<Pick<Fields, 'at' | 'id'>>;
    const timeAndIdOf = recordReader({ at, id }, read.columns, this.file);
    return async (accountRef, query, context): Promise<CoreTransactionsRead> => {
      for (let asked = query.limit + 1; asked <= mostRows; asked *= 4) {
        const { statement, parameters } = transactionStatement(
          { file: this.file, read, dialect: this.dialect },
          query,
          asked,
        );
        const cells = await this.ask(statement, parameters, accountRef, context);
        const { account, rows } = this.rows.withRecords(cells, columns, context.customerRef, accountRef);
        const page = pageOf(rows, keys, query, asked);
        if (page === undefined) continue;
        const ids = new Set<string>();
        const items = translateRows(
          read.path,
          page.rows,
          (row) => {
            const record = ofItsStatus(translate(row, account.currency) as unknown as CoreTransaction);
            if (ids.size === ids.add(record.id).size)
              throw new RowFault(keys.id.column, 'it has the id of a record before it');
            return record;
          },
          (row) => timeAndIdOf(row, account.currency) as unknown as TimeAndId,
        );
        return { account, more: page.more, ...items };
      }
      throw new CoreError('bad-record', `${read.path}: more than ${mostRows} rows of one millisecond`);
    };
  }

  /** The rows of a statement about an account of the customer. */
  private async ask(
    statement: Statement,
    parameters: Parameters,
    account: string,
    { customerRef: customer, signal }: CoreContext,
  ): Promise<Cell[][]> {
    if (!(await this.canBe({ customer, account }, signal))) throw notFound();
    return this.database.rows(statement, { ...parameters, customer, account }, signal);
  }

  /** Whether the database can know the references, once it has checked the file. */
  private async canBe(
    references: Readonly<Partial<Record<'customer' | 'account', string>>>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { compared } = await this.checked(signal);
    return (['customer', 'account'] as const).every((name) => {
      const reference = references[name];
      return reference === undefined || canBe(reference, compared[name]);
    });
  }

  private checked(signal: AbortSignal): Promise<CheckedQueries> {
    return this.fileCheck.done(signal).catch((error: unknown) => {
      throw error instanceof FileFault ? lateFault(this.fileName, error) : error;
    });
  }
}
