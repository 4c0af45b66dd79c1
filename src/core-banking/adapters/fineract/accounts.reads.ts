import type { BadRecord, CallContext, CoreContext, CoreItems } from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError, isCoreError } from '../../../../packages/core-adapter/core-error.js';
import { sortCodeAccountNumber } from '../../../../packages/core-adapter/account-numbers.js';
import type { FoundAccount, StatedAccount } from '../../../../packages/core-adapter/core.funds.js';
import type { CoreAccount } from '../../../../packages/core-adapter/core.records.js';
import { type Row, type TranslatedItem, translateRow } from '../../../../packages/core-adapter/core-rows.js';
import { textOf } from '../../../../packages/core-adapter/row-fields.js';
import { holderOf, offeredProduct, toAccount } from './accounts.records.js';
import { toTableRows } from './data-tables.js';
import { record, neededRow } from './fineract.answers.js';
import type { FineractClient } from './fineract.client.js';
import { key, optionalText } from './fineract.fields.js';
import type { FineractSettings } from './fineract.settings.js';
import { identifierColumns } from './identifiers.records.js';
import { mapInPairs } from './map-in-pairs.js';

/** An account with the rows that it was read from, and when. */
export interface ReadAccount {
  readonly account: CoreAccount;
  readonly row: Row;
  readonly client: Row;
  readonly at: Date | undefined;
}

/** When Fineract answered: the time at which the answer was true. */
export function timeOf({ at }: ReadAccount): Date {
  if (at === undefined) throw new CoreError('bad-record', 'Fineract did not say when it answered (no Date header)');
  return at;
}

/** Reads accounts, and the rows of their data tables. */
export class FineractAccounts {
  constructor(
    private readonly client: FineractClient,
    private readonly settings: FineractSettings,
  ) {}

  async list(context: CoreContext): Promise<CoreItems<CoreAccount>> {
    if (!isKey(context.customerRef)) return { items: [], bad: [] };
    const answers = await ifKnown(
      Promise.all([
        this.client.read(clientPath(context), context),
        this.client.read(`${clientPath(context)}/accounts`, context),
      ]),
    );
    if (answers === undefined) return { items: [], bad: [] };
    const [client, list] = answers;
    const holder = neededRow('client', client.body, holderOf);
    const rows = record(list.body).savingsAccounts ?? [];
    if (!Array.isArray(rows)) throw new CoreError('bad-record', 'Fineract: savingsAccounts is not a list');
    const read = await mapInPairs(rows as unknown[], (row, index) =>
      this.listed(`savingsAccounts[${index}]`, row, holder, context),
    );
    const bad = read.flatMap((one) => ('fault' in one ? [one] : []));
    const items = read.flatMap((one) => ('fault' in one || one.item === undefined ? [] : [one.item]));
    const unread = read.flatMap((one) => ('fault' in one ? [] : (one.unread ?? [])));
    return { items: items.sort(byRef), bad, ...(unread.length > 0 && { unread }) };
  }

  async read(accountRef: string, context: CoreContext): Promise<ReadAccount> {
    if (!isKey(accountRef) || !isKey(context.customerRef)) throw unknownAccount();
    const [answer, client] = await Promise.all([
      this.client.read(`/v1/savingsaccounts/${accountRef}`, context),
      this.client.read(clientPath(context), context),
    ]);
    const row = record(answer.body);
    if (ownerOf(row) !== context.customerRef) throw unknownAccount();
    const account = this.offered(row, client.body, await this.identifiers(accountRef, context));
    if (account === undefined) throw unknownAccount();
    return { account, row, client: record(client.body), at: answer.at };
  }

  /** The account whose row in the identifiers' table has the number. An unknown number takes the same calls. */
  async find(table: string, stated: StatedAccount, context: CallContext): Promise<FoundAccount | undefined> {
    const ref = (await this.numbered(table, stated, context)) ?? noKey;
    const answer = await ifKnown(this.client.read(`/v1/savingsaccounts/${ref}`, context));
    const row = answer && record(answer.body);
    const [client, identifiers] = await Promise.all([
      ifKnown(this.client.read(`/v1/clients/${(row && ownerOf(row)) ?? noKey}`, context)),
      this.identifiers(ref, context),
    ]);
    const account = row && client && this.offered(row, client.body, identifiers);
    if (account === undefined || client === undefined) return undefined;
    return { account, holderNames: [neededRow('client', client.body, (it) => textOf(it, 'displayName'))] };
  }

  /** The account's row of the identifiers' data table; `undefined` without a table or a row. */
  async identifiers(accountRef: string, context: CallContext): Promise<Row | undefined> {
    const table = this.settings.identifiersTable;
    return table === undefined ? undefined : (await this.tableRows(table, identifierColumns, accountRef, context))[0];
  }

  /** The id of the account with the number; Fineract filters by one column. */
  private async numbered(
    table: string,
    { scheme, identification }: StatedAccount,
    context: CallContext,
  ): Promise<string | undefined> {
    const [column, value] = scheme === 'iban' ? ['iban', identification] : ['account_number', identification.slice(-8)];
    const query = new URLSearchParams({
      columnFilter: column,
      valueFilter: value,
      resultColumns: `${accountColumn},sort_code,account_number`,
    });
    const { body } = await this.client.read(
      `/v1/datatables/${encodeURIComponent(table)}/query?${query.toString()}`,
      context,
    );
    if (!Array.isArray(body)) throw new CoreError('bad-record', 'Fineract: the rows of the data table are not a list');
    const refs = body.flatMap((one: unknown) =>
      neededRow('datatable', one, (row) => {
        const [sortCode, number] = [
          optionalText(row.sort_code, 'sort_code'),
          optionalText(row.account_number, 'account_number'),
        ];
        const fits = scheme === 'iban' || sortCodeAccountNumber(sortCode ?? '', number ?? '') === identification;
        return fits ? [key(row[accountColumn], accountColumn)] : [];
      }),
    );
    if (refs.length > 1) throw new CoreError('bad-record', 'Fineract: several accounts have one number');
    return refs[0];
  }

  async tableRows(table: string, columns: readonly string[], entityId: string, context: CallContext): Promise<Row[]> {
    const path = `/v1/datatables/${encodeURIComponent(table)}/${entityId}?genericResultSet=true`;
    const { body } = await this.client.read(path, context);
    return neededRow('datatable', body, (it) => toTableRows(it, columns));
  }

  /** `undefined` for an account that is not offered. */
  private offered(row: Row, client: unknown, identifiers: Row | undefined): CoreAccount | undefined {
    return neededRow('savingsAccount', row, (it) => {
      const product = offeredProduct(it, it.savingsProductId, this.settings);
      if (product === undefined) return undefined;
      const holder = neededRow('client', client, holderOf);
      return toAccount(it, { product, holder, identifiers, rules: this.settings });
    });
  }

  /** One row of the client's list; `undefined` for an account that is not offered. */
  private async listed(
    where: string,
    row: unknown,
    holder: CoreAccount['holder'],
    context: CoreContext,
  ): Promise<TranslatedItem<CoreAccount | undefined> | BadRecord> {
    const offered = translateRow(where, row, (it) => ({
      ref: key(it.id, 'id'),
      product: offeredProduct(it, it.productId, this.settings),
    }));
    if ('fault' in offered) return offered;
    const { ref, product } = offered.item;
    if (product === undefined) return { item: undefined };
    const identifiers = await this.identifiers(ref, context);
    return translateRow(where, row, (it) => toAccount(it, { product, holder, identifiers, rules: this.settings }));
  }
}

/** No row has this id. */
const noKey = '0';
/** The column of the data table that refers to the account. */
const accountColumn = 'savings_account_id';

/** `undefined` where Fineract does not know the account or the client. */
function ifKnown<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (isCoreError(error) && error.kind === 'account-not-found') return undefined;
    throw error;
  });
}

/** A group's account has no client. */
function ownerOf(row: Row): string | undefined {
  return neededRow('savingsAccount', row, (it) =>
    it.clientId === undefined ? undefined : key(it.clientId, 'clientId'),
  );
}

function clientPath({ customerRef }: CoreContext): string {
  return `/v1/clients/${customerRef}`;
}

/** Only digits are the id of a row, so only digits are put into a path. */
function isKey(ref: string): boolean {
  return /^[1-9]\d{0,18}$/.test(ref);
}

function unknownAccount(): CoreError {
  return new CoreError('account-not-found', 'Fineract has no such account of this client');
}

/** In the order of their ids, which Fineract's own list does not promise. */
function byRef(a: CoreAccount, b: CoreAccount): number {
  return a.ref.length - b.ref.length || (a.ref < b.ref ? -1 : 1);
}
