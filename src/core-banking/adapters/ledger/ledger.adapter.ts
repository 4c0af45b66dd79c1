import { Injectable } from '@nestjs/common';
import type {
  BadRecord,
  CoreAdapter,
  CoreContext,
  CoreItems,
  CoreRead,
  CoreTransactionsRead,
} from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import type {
  CoreAccount,
  CoreBalance,
  CoreBeneficiary,
  CoreDirectDebit,
  CoreOffer,
  CoreParty,
  CoreProductDetail,
  CoreScheduledPayment,
  CoreStandingOrder,
  CoreStatement,
  TransactionQuery,
} from '../../../../packages/core-adapter/core.records.js';
import { isRow, translateRow, translateRows, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { LedgerClient } from './ledger.client.js';
import type { LedgerSettings } from './ledger.client.js';
import {
  cycleEndMs,
  isDomestic,
  toAccount,
  toBalance,
  toBeneficiary,
  toDirectDebit,
  toOffer,
  toParty,
  toProductDetail,
  toScheduledPayment,
  toStandingOrder,
  toStatement,
  toTransaction,
} from './ledger.records.js';

/** Reads the ledger core over HTTP. Each read is one round trip: the ledger sends the account along with its records. */
@Injectable()
export class LedgerAdapter implements CoreAdapter {
  readonly name = 'ledger';
  readonly pending = 'id-kept';
  readonly missing = {};
  private readonly client: LedgerClient;

  constructor(settings: LedgerSettings) {
    this.client = new LedgerClient(settings);
  }

  async accounts(context: CoreContext): Promise<CoreItems<CoreAccount>> {
    const answer = record(await this.client.read(`${clientPath(context)}/accts`, context));
    return translateRows('accts', list(answer, 'accts'), toAccount);
  }

  async account(accountRef: string, context: CoreContext): Promise<CoreAccount> {
    return accountOf(record(await this.client.read(accountPath(accountRef, context), context)));
  }

  balances(accountRef: string, context: CoreContext): Promise<CoreRead<CoreBalance>> {
    return this.list('figures', accountRef, context, toBalance);
  }

  async transactions(accountRef: string, query: TransactionQuery, context: CoreContext): Promise<CoreTransactionsRead> {
    const path = `${accountPath(accountRef, context)}/entries?${entriesQuery(query)}`;
    const answer = record(await this.client.read(path, context));
    const account = accountOf(answer);
    const { more, total } = answer;
    if (typeof more !== 'boolean') throw new CoreError('bad-record', 'ledger: more is not a yes or no');
    if (!Number.isSafeInteger(total)) throw new CoreError('bad-record', 'ledger: total is not a whole number');
    const { items, bad } = translateRows('entries', list(answer, 'entries'), (row) => toTransaction(row, account));
    return { account, items, bad, more, total: total as number };
  }

  async party(accountRef: string, context: CoreContext): Promise<CoreRead<CoreParty>> {
    const answer = record(await this.client.read(`${accountPath(accountRef, context)}/person`, context));
    return { account: accountOf(answer), ...translateRows('person', [answer.person], toParty) };
  }

  offers(accountRef: string, context: CoreContext): Promise<CoreRead<CoreOffer>> {
    return this.list('promos', accountRef, context, toOffer);
  }

  scheduledPayments(accountRef: string, context: CoreContext): Promise<CoreRead<CoreScheduledPayment>> {
    return this.domestic('forwards', accountRef, context, toScheduledPayment);
  }

  beneficiaries(accountRef: string, context: CoreContext): Promise<CoreRead<CoreBeneficiary>> {
    return this.list('payees', accountRef, context, toBeneficiary);
  }

  /** The ledger sends every cycle. The latest is chosen before translating: an older one never stands in for a bad one. */
  async statements(accountRef: string, context: CoreContext): Promise<CoreRead<CoreStatement>> {
    const answer = record(await this.client.read(`${accountPath(accountRef, context)}/cycles`, context));
    const account = accountOf(answer);
    const bad: BadRecord[] = [];
    let latest: { row: Row; where: string; endMs: number } | undefined;
    for (const [index, row] of list(answer, 'cycles').entries()) {
      const where = `cycles[${index}]`;
      const end = translateRow(where, row, cycleEndMs);
      if ('fault' in end) bad.push(end);
      else if (latest === undefined || end.item > latest.endMs) latest = { row: row as Row, where, endMs: end.item };
    }
    if (latest === undefined) return { account, items: [], bad };
    const statement = translateRow(latest.where, latest.row, (row) => toStatement(row, account));
    return 'fault' in statement
      ? { account, items: [], bad: [...bad, statement] }
      : { account, items: [statement.item], bad };
  }

  directDebits(accountRef: string, context: CoreContext): Promise<CoreRead<CoreDirectDebit>> {
    return this.list('mandates', accountRef, context, toDirectDebit);
  }

  standingOrders(accountRef: string, context: CoreContext): Promise<CoreRead<CoreStandingOrder>> {
    return this.domestic('orders', accountRef, context, toStandingOrder);
  }

  product(accountRef: string, context: CoreContext): Promise<CoreRead<CoreProductDetail>> {
    return this.list('terms', accountRef, context, toProductDetail);
  }

  async health(signal: AbortSignal): Promise<void> {
    const answer = record(await this.client.read('/ping', { signal }));
    if (answer.up !== true) throw new CoreError('unavailable', 'ledger says that it is not up');
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** The list `name` of an account: the ledger's path and the member of its answer have the same name. */
  private async list<T>(
    name: string,
    accountRef: string,
    context: CoreContext,
    translate: (row: Row, account: CoreAccount) => T,
  ): Promise<CoreRead<T>> {
    const answer = record(await this.client.read(`${accountPath(accountRef, context)}/${name}`, context));
    const account = accountOf(answer);
    const { items, bad } = translateRows(name, list(answer, name), (row) => translate(row, account));
    return { account, items, bad };
  }

  private async domestic<T>(
    name: string,
    accountRef: string,
    context: CoreContext,
    translate: (row: Row) => T,
  ): Promise<CoreRead<T>> {
    const read = await this.list(name, accountRef, context, (row) => (isDomestic(row) ? translate(row) : undefined));
    return { ...read, items: read.items.filter((item) => item !== undefined) };
  }
}

function clientPath(context: CoreContext): string {
  return `/clients/${encodeURIComponent(context.customerRef)}`;
}

function accountPath(accountRef: string, context: CoreContext): string {
  return `${clientPath(context)}/accts/${encodeURIComponent(accountRef)}`;
}

function entriesQuery(query: TransactionQuery): string {
  let sent = `take=${query.limit}&toward=${query.read === 'older' ? 'OLD' : 'NEW'}`;
  if (query.from !== undefined) sent += `&since=${stamp(query.from.getTime())}`;
  if (query.to !== undefined) sent += `&until=${stamp(query.to.getTime())}`;
  if (query.direction !== undefined) sent += `&side=${query.direction === 'credit' ? 'CR' : 'DR'}`;
  if (query.status !== undefined) sent += '&state=POSTED';
  if (query.position !== undefined) {
    sent += `&past=${stamp(query.position.atMs)}&pastKey=${encodeURIComponent(query.position.id)}`;
  }
  return sent;
}

const earliestMs = Date.UTC(1000, 0, 1);
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A time in the ledger's form, which has four digits for the year: what lies beyond them is moved to their edge. */
function stamp(atMs: number): string {
  return new Date(Math.min(Math.max(atMs, earliestMs), latestMs)).toISOString().replace(/[-:]/g, '');
}

function record(answer: unknown): Row {
  if (!isRow(answer)) throw new CoreError('bad-record', 'ledger answered with something other than a record');
  return answer;
}

function list(answer: Row, name: string): readonly unknown[] {
  const rows = answer[name];
  if (!Array.isArray(rows)) throw new CoreError('bad-record', `ledger: ${name} is not a list`);
  return rows;
}

/** Without the account nothing can be said about its records: its state and product decide over them. */
function accountOf(answer: Row): CoreAccount {
  const account = translateRow('acct', answer.acct, toAccount);
  if ('fault' in account) throw new CoreError('bad-record', `ledger: acct: ${account.fault}`);
  return account.item;
}
