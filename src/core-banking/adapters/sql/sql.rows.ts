import type { CoreItems } from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import type { FoundAccount } from '../../../../packages/core-adapter/core.funds.js';
import type { CoreAccount, CoreTransaction } from '../../../../packages/core-adapter/core.records.js';
import { type Row, translateRow, translateRows } from '../../../../packages/core-adapter/core-rows.js';
import type { BankFile } from './bank-file.js';
import type { Cell } from './dialect.js';
import { recordReader } from '../../record-mapping/record-reader.js';
import { accountColumnsOf, mostRows } from './statements.js';

/** The account of an answer, and the rows of its records. */
export interface AccountAndRows {
  readonly account: CoreAccount;
  readonly rows: readonly Row[];
}

/** Takes the answers of the statements apart. */
export class SqlRows {
  private readonly accountColumns: readonly string[];
  private readonly toRecord: (row: Row, currency: string) => Readonly<Record<string, unknown>>;

  constructor(private readonly file: BankFile) {
    this.accountColumns = accountColumnsOf(file);
    this.toRecord = recordReader(file.accounts.fields, file.accounts.columns, file);
  }

  /** The customer's accounts of a list; another customer's row is not shown, whatever the query says. */
  accounts(rows: readonly Cell[][], customerRef: string): CoreItems<CoreAccount> {
    refuseTooMany(rows, 'accounts');
    const own = rows.map((row) => this.accountRow(row)).filter((row) => this.isOf(row, customerRef));
    const read = translateRows('accounts', own, (row) => this.toAccount(row));
    return { ...read, items: read.items.toSorted((a, b) => (a.ref < b.ref ? -1 : 1)) };
  }

  /** @throws CoreError where the rows hold no account of the customer */
  account(rows: readonly Cell[][], customerRef: string, accountRef: string): CoreAccount {
    const [first] = rows;
    const row = first && this.accountRow(first);
    if (row === undefined || !this.isOf(row, customerRef)) throw notFound();
    if (first?.[this.accountColumns.length] !== '1')
      throw new CoreError('bad-record', 'accounts: several rows of one account');
    const read = translateRow('account', row, (one) => this.toAccount(one));
    if ('fault' in read) throw new CoreError('bad-record', `accounts: ${read.fault}`);
    // A database may take texts for equal that are not.
    if (read.item.ref !== accountRef) throw notFound();
    return read.item;
  }

  /** @param columns of the record, which follow the account and the mark that there is a record */
  withRecords(
    answer: readonly Cell[][],
    columns: readonly string[],
    customerRef: string,
    accountRef: string,
  ): AccountAndRows {
    const account = this.account(answer, customerRef, accountRef);
    const mark = this.accountColumns.length + 1;
    const rows = answer.flatMap((cells) => (cells[mark] === null ? [] : [rowOf(columns, cells, mark + 1)]));
    return { account, rows };
  }

  /**
   * The account that the rows name, with the names of its holders; `undefined` without a row, or where the list of a holder
   * does not have it.
   */
  found(answer: readonly Cell[][]): FoundAccount | undefined {
    const holderNames = new Set<string>();
    let account: CoreAccount | undefined;
    for (const [customer, ref, name, ...cells] of answer) {
      if (cells.every((cell) => cell === null)) return undefined;
      const read = this.account([cells], customer?.trim() ?? '', ref?.trim() ?? '');
      if (account !== undefined && account.ref !== read.ref)
        throw new CoreError('bad-record', 'findPaymentAccount: several accounts have one number');
      if (!name?.trim()) throw new CoreError('bad-record', 'findPaymentAccount: a holder has no name');
      account = read;
      holderNames.add(name.trim());
    }
    return account && { account, holderNames: [...holderNames] };
  }

  private accountRow(cells: readonly Cell[]): Row {
    return rowOf(this.accountColumns, cells, 0);
  }

  private toAccount(row: Row): CoreAccount {
    return this.toRecord(row, '') as unknown as CoreAccount;
  }

  private isOf(row: Row, customerRef: string): boolean {
    const customer = row[this.file.accounts.customer];
    return typeof customer === 'string' && customer.trim() === customerRef;
  }
}

export function notFound(): CoreError {
  return new CoreError('account-not-found', 'the database lists no such account of the customer');
}

export function refuseTooMany(rows: readonly unknown[], read: string): void {
  if (rows.length > mostRows) throw new CoreError('bad-record', `${read}: more than ${mostRows} rows`);
}

/** A pending transaction has the time at which it was made as `at` alone; of a booked one nothing is expected. */
export function ofItsStatus({ madeAt, expectedBookingAt, ...rest }: CoreTransaction): CoreTransaction {
  return rest.status === 'pending' ? { ...rest, expectedBookingAt } : { ...rest, madeAt };
}

function rowOf(columns: readonly string[], cells: readonly Cell[], start: number): Row {
  const row: Record<string, Cell> = {};
  for (let index = 0; index < columns.length; index++) row[columns[index] as string] = cells[start + index] as Cell;
  return row;
}
